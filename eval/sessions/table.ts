import type { SessionsReport } from './report';

/** The report as lines for people. */
export function table(result: SessionsReport): string {
  const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
  const { grounding } = result;
  const categories = Object.entries(result.by_category).map(
    ([name, { passed, queries, share }]) =>
      `  ${name.padEnd(22)} ${`${passed}/${queries}`.padStart(6)}  ${percent(share)}`,
  );
  const failed = result.failed.map(
    ({ query_id, missing, forbidden, unwanted }) =>
      `  ${query_id}${unwanted ? ' unwanted' : ''}${missing.length > 0 ? ` missing: ${missing.join('; ')}` : ''}` +
      `${forbidden.length > 0 ? ` forbidden: ${forbidden.join('; ')}` : ''}`,
  );
  return [
    `overall ${percent(result.overall)} of ${result.queries}`,
    ...categories,
    `forbidden ${result.forbidden}, leaks ${result.leaks}, stale ${result.stale}, abstained ${result.abstained}`,
    `tokens ${result.mean_tokens}, records ${result.mean_records} (means of ${result.answered} answers)`,
    `grounded ${percent(grounding.grounded)} of ${grounding.literals}, evidence ${grounding.median_evidence}, ` +
      `characters ${grounding.median_record_chars} (medians of ${grounding.records} records)`,
    `not summaries: ${grounding.junk} for each of ${grounding.tool_events} tool events`,
    ...(failed.length > 0 ? ['failed', ...failed] : []),
  ].join('\n');
}
