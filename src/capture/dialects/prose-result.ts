import { toolClass } from '../tool-names';

export interface ProseFindings {
  path?: string;
  exit_code?: number;
  success?: boolean;
}

const WORDINGS = [
  /^Created the ([^\n]{1,1024}) file\.$/,
  /^Replaced text in ([^\n]{1,1024}?)(?: \(\d{1,9} occurrences?\))?$/,
  /^Appended the text to the ([^\n]{1,1024}) file\.$/,
  /^Deleted the ([^\n]{1,1024}) file\.$/,
];
const EXIT_CODE = /(?:^|\n)Exit Code: (-?\d{1,10})$/;
const FAILURE = /^(?:error|failed|cannot|could not|unable to)\b/i;
/** The wordings are short and stand at either end; the middle of a large result is never searched. */
const WINDOW = 2048;

/**
 * Reads what a prose result of Kiro tells when the call's own arguments are `{}` (Kiro#6188, #7500): the
 * path of a write, the exit code of a shell command, and whether it went well where the text leaves no doubt.
 */
export function readProse(toolName: string, result: string): ProseFindings {
  const kind = toolClass(toolName);
  if (kind === 'shell') return readShell(result.slice(-WINDOW).trimEnd());
  if (kind === 'write') return readWrite(result.slice(0, WINDOW).trimEnd());
  return {};
}

function readShell(tail: string): ProseFindings {
  const code = EXIT_CODE.exec(tail)?.[1];
  if (code === undefined) return FAILURE.test(tail) ? { success: false } : {};
  return { exit_code: Number(code), success: Number(code) === 0 };
}

function readWrite(text: string): ProseFindings {
  for (const wording of WORDINGS) {
    const path = wording.exec(text)?.[1];
    if (path) return { path, success: true };
  }
  return FAILURE.test(text) ? { success: false } : {};
}
