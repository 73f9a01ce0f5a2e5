/** Where a page's parts lie, as the webview sees them. */
export interface PageResources {
  cspSource: string;
  script: string;
  codicons: string;
  /** Fresh for each page, URL-safe. */
  nonce: string;
  lang: string;
  title: string;
  page: 'panel' | 'setup';
}

/**
 * The frame of a page. Nothing is allowed but our own script (by nonce), our styles and fonts: no inline style,
 * no image, no request (pain 97). All content comes later, as text.
 */
export function pageHtml(resources: PageResources): string {
  const { cspSource, script, codicons, nonce, lang, title, page } = resources;
  const policy = [
    `default-src 'none'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(lang)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeAttribute(title)}</title>
<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${escapeAttribute(codicons)}">
</head>
<body data-page="${page}">
<script nonce="${nonce}" src="${escapeAttribute(script)}"></script>
</body>
</html>
`;
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
