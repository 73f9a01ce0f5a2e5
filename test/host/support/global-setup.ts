import type { TestProject } from 'vitest/node';
import { chooseHost, type ChosenHost } from '../../../scripts/vscode-host/choose';

declare module 'vitest' {
  interface ProvidedContext {
    chosenHost: ChosenHost;
  }
}

/** Chooses (and where needed installs) the VS Code of this run once, and hands it to every test file. */
export async function setup(project: TestProject): Promise<void> {
  const chosen = await chooseHost((line) => console.log(line));
  console.log(`host: ${chosen.label}`);
  project.provide('chosenHost', chosen);
}
