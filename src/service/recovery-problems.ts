import type { Problem } from '../contract/status';
import type { OpenReport } from '../store/open-report';

/** What opening the store found, in words for people: what happened, what was kept, what to do. */
export function recoveryProblems(report: OpenReport): Omit<Problem, 'at'>[] {
  const problems: Omit<Problem, 'at'>[] = [];
  if (report.readOnly === 'newer_version') {
    problems.push({
      code: 'image_newer',
      message:
        'The memory store was written by a newer kiro-learn, so it is open read only. Nothing was changed. ' +
        'Update the extension to capture again.',
    });
  }
  if (report.quarantined.length > 0) {
    const kept = report.quarantined.map((file) => file.kept_as ?? file.file).join(', ');
    problems.push({
      code: 'store_quarantined',
      message:
        `${report.quarantined.length} damaged part(s) of the store were set aside, nothing was deleted (${kept}). ` +
        'What could be read was kept; capture goes on.',
    });
  }
  if (report.missing.length > 0) {
    problems.push({
      code: 'journal_missing',
      message:
        'A piece of the journal is missing, so some recent events may be lost. The rest was kept. ' +
        'Run Diagnose to see what the store holds.',
    });
  }
  return problems;
}
