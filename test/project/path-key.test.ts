import { describe, expect, it } from 'vitest';
import { isWithin, nameOf, parentKey, parsePath, type PathHost } from '../../src/project/path-key';
import { normaliseRemote } from '../../src/project/remote-url';

const linux: PathHost = { platform: 'linux', wsl: false };
const wsl: PathHost = { platform: 'linux', wsl: true };
const windows: PathHost = { platform: 'win32', wsl: false };

describe('parsePath', () => {
  it.each([
    ['C:\\Users\\Mira\\src\\shop', linux, 'c:/users/mira/src/shop', false],
    ['c:/users/mira/src/shop/', windows, 'c:/users/mira/src/shop', true],
    ['\\\\?\\C:\\Users\\Mira\\src\\shop', windows, 'c:/users/mira/src/shop', true],
    ['file:///c%3A/Users/Mira/src/shop', windows, 'c:/users/mira/src/shop', true],
    ['/c:/Users/Mira/src/../src/shop', windows, 'c:/users/mira/src/shop', true],
    ['C:\\', windows, 'c:', true],
    ['\\\\Server\\Share\\Shop\\', windows, '//server/share/shop', false],
    ['\\\\?\\UNC\\Server\\Share\\Shop', windows, '//server/share/shop', false],
    ['//server/share/shop', windows, '//server/share/shop', false],
    ['\\\\wsl$\\Ubuntu\\home\\Mira', windows, '//wsl/ubuntu/home/Mira', false],
    ['\\\\wsl.localhost\\Ubuntu\\home\\Mira', windows, '//wsl/ubuntu/home/Mira', false],
    ['/mnt/c/Users/Mira', wsl, 'c:/users/mira', true],
    ['/mnt/c', wsl, 'c:', true],
    ['/mnt/c/Users/Mira', linux, '/mnt/c/Users/Mira', true],
    ['/srv//shop/./a/../', linux, '/srv/shop', true],
    ['//srv/shop', linux, '/srv/shop', true],
    ['/', linux, '/', true],
    ['file:///srv/a%20b', linux, '/srv/a b', true],
    ['/srv/caf\u0065\u0301', linux, '/srv/caf\u00e9', true],
  ] as const)('%s', (spelling, host, key, local) => {
    expect(parsePath(spelling, host)).toMatchObject({ key, local });
  });

  it.each(['', '  ', 'src/shop', './x', 'C:shop', 'a\0b', '/a\0b', 'file://%zz'])(
    'refuses %j',
    (spelling) => {
      expect(parsePath(spelling, linux)).toBeUndefined();
    },
  );
});

describe('keys', () => {
  it('contain whole segments only', () => {
    expect(isWithin('/srv/shop/a', '/srv/shop')).toBe(true);
    expect(isWithin('/srv/shop', '/srv/shop')).toBe(true);
    expect(isWithin('/srv/shopping', '/srv/shop')).toBe(false);
    expect(isWithin('c:/a', '/')).toBe(false);
  });

  it.each([
    ['/srv/shop', '/srv'],
    ['/srv', '/'],
    ['/', undefined],
    ['c:/users', 'c:'],
    ['c:', undefined],
    ['//server/share/a', '//server/share'],
    ['//server/share', undefined],
    ['//server', undefined],
  ])('the parent of %s', (key, parent) => {
    expect(parentKey(key)).toBe(parent);
  });

  it('have a name for people', () => {
    expect(nameOf('C:\\Users\\Mira\\shop')).toBe('shop');
    expect(nameOf('/')).toBe('/');
  });
});

describe('normaliseRemote', () => {
  it.each([
    ['https://user:secret@Git.Example.org:443/acme/shop.git/', 'git.example.org/acme/shop'],
    ['ssh://git@git.example.org:22/acme/shop.git', 'git.example.org/acme/shop'],
    ['git@git.example.org:acme/shop', 'git.example.org/acme/shop'],
    ['https://git.example.org:8443/acme/shop?token=secret', 'git.example.org:8443/acme/shop'],
    ['https://a:b@c@git.example.org/x', 'git.example.org/x'],
    ['/srv/git/shop.git', undefined],
    ['file:///srv/git/shop.git', undefined],
    ['C:\\git\\shop', undefined],
    ['', undefined],
  ])('%s', (url, expected) => {
    expect(normaliseRemote(url)).toBe(expected);
  });
});
