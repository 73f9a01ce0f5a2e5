import './zod-config';
import '@vscode-elements/elements/dist/vscode-badge/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import '@vscode-elements/elements/dist/vscode-progress-ring/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import '@vscode-elements/elements/dist/vscode-textarea/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { html, render } from 'lit';
import './app';
import { HostPort, type VsCodeApi } from './host-port';
import './setup-page';
import { pageStyles } from './styles';
import { Words } from './text';

declare function acquireVsCodeApi(): VsCodeApi;

const sheet = pageStyles.styleSheet;
if (sheet !== undefined) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

const port = new HostPort(acquireVsCodeApi(), window);
const root = document.createElement('div');
root.className = 'kl-root';
document.body.append(root);

let words: Words | undefined;
port.onInit((init) => {
  words ??= new Words(init.locale, init.strings);
  const ctx = { port, words };
  const page =
    init.page === 'setup'
      ? html`<kl-setup .ctx=${ctx} .init=${init}></kl-setup>`
      : html`<kl-app .ctx=${ctx} .init=${init}></kl-app>`;
  render(page, root);
});
port.ready();
