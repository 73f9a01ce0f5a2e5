/**
 * One spelling for the address of a remote, without credentials: `ssh://git@h/p.git`, `git@h:p` and
 * `https://user:pass@H:443/p/` all become `h/p`. Undefined for local paths, which say nothing to another machine.
 */
export function normaliseRemote(url: string): string | undefined {
  const given = url.trim();
  if (given.length > 2048) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(given);
  if (scheme) {
    const [, name = '', rest = ''] = scheme;
    if (name.toLowerCase() === 'file') return undefined;
    const slash = rest.indexOf('/');
    return slash < 0 ? undefined : joined(rest.slice(0, slash), rest.slice(slash + 1));
  }
  const scp = /^([^/\\:]{2,}):(?!\/\/)(.+)$/.exec(given);
  return scp ? joined(scp[1] ?? '', scp[2] ?? '') : undefined;
}

const DEFAULT_PORTS = /:(?:22|80|443|9418)$/;

function joined(authority: string, rest: string): string | undefined {
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .toLowerCase()
    .replace(DEFAULT_PORTS, '');
  const bare = rest
    .replace(/[?#].*$/s, '')
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/i, '')
    .replace(/\/+$/, '');
  return host === '' || bare === '' ? undefined : `${host}/${bare}`;
}
