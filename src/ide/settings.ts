import * as vscode from 'vscode';
import { SETTINGS, type SettingName, type Settings } from '../contract/settings';

/** The section of every setting. */
export const SETTINGS_SECTION = 'kiro-learn';

/** Settings as they hold for `scope`; a value of the wrong type counts as unset. */
export function readSettings(scope?: vscode.Uri): Settings {
  const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION, scope ?? null);
  const read = (name: SettingName) => {
    const definition = SETTINGS[name];
    const parsed = definition.schema.safeParse(configuration.get(definition.key));
    return parsed.success ? parsed.data : definition.default;
  };
  const entries = (Object.keys(SETTINGS) as SettingName[]).map((name) => [name, read(name)]);
  return Object.fromEntries(entries) as Settings;
}
