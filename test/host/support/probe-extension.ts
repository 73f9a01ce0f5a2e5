import { createVSIX } from '@vscode/vsce';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';

export const probeExtensionId = 'harness.probe';

const manifest = {
  name: 'probe',
  publisher: 'harness',
  version: '1.0.0',
  engines: { vscode: '^1.101.0' },
  main: './extension.js',
  files: ['extension.js'],
  activationEvents: ['onStartupFinished'],
  capabilities: { untrustedWorkspaces: { supported: 'limited', description: 'Says whether it is trusted.' } },
  contributes: {
    commands: [
      { command: 'probe.show', title: 'Show probe page' },
      { command: 'probe.showNot', title: 'Show probe page not' },
      { command: 'probe.ask', title: 'Ask', category: 'Probe' },
    ],
  },
};

const source = `
const vscode = require('vscode');
const { appendFileSync, mkdirSync } = require('node:fs');
const { homedir } = require('node:os');

let record = () => {};

exports.activate = (context) => {
  const folder = context.globalStorageUri.fsPath;
  mkdirSync(folder, { recursive: true });
  record = (line) => appendFileSync(folder + '/life.txt', line + '\\n');
  record('activate ' + process.pid + ' ' + homedir());

  const item = vscode.window.createStatusBarItem('probe.status', vscode.StatusBarAlignment.Left);
  item.name = 'Probe';
  const draw = () => (item.text = '$(database) probe ' + (vscode.workspace.isTrusted ? 'trusted' : 'restricted'));
  draw();
  item.show();

  const showPage = () => {
    const panel = vscode.window.createWebviewPanel('probe', 'Probe page', vscode.ViewColumn.One, { enableScripts: true });
    panel.webview.onDidReceiveMessage((text) => vscode.window.showInformationMessage('heard ' + text, 'Good'));
    panel.webview.html = \`<!DOCTYPE html><html><head>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-n0nce'">
      </head><body><h1>pid \${process.pid}</h1><button>Say hello</button>
      <script nonce="n0nce">const api = acquireVsCodeApi();
      document.querySelector('button').addEventListener('click', () => api.postMessage('hello'));</script></body></html>\`;
  };
  const ask = async () => {
    const colour = await vscode.window.showQuickPick(['red', 'green']);
    const name = await vscode.window.showInputBox({ prompt: 'name' });
    record('asked ' + colour + ' ' + name);
  };
  context.subscriptions.push(
    item,
    vscode.workspace.onDidGrantWorkspaceTrust(draw),
    vscode.commands.registerCommand('probe.show', showPage),
    vscode.commands.registerCommand('probe.showNot', () => record('wrong command')),
    vscode.commands.registerCommand('probe.ask', ask),
  );
};

exports.deactivate = () => record('deactivate ' + process.pid);
`;

/** Writes and packages a small extension below `folder`, with something of everything that the page objects read. */
export async function buildProbeExtension(folder: string): Promise<string> {
  const root = path.join(folder, 'probe');
  await mkdir(root, { recursive: true });
  await writeFile(path.join(root, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(root, 'extension.js'), source);
  await writeFile(path.join(root, 'README.md'), 'An extension that exists for a test.\n');
  const packagePath = path.join(folder, 'probe.vsix');
  await createVSIX({
    cwd: root,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
  return packagePath;
}
