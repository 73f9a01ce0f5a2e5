import type { Evaluation } from './evaluate';

/** The evaluation as Markdown, for people. */
export function table(result: Evaluation): string {
  const systems = [
    ['kiro-learn', result] as const,
    ...Object.entries(result.variants).map(([name, measured]) => [name, measured] as const),
    ...Object.entries(result.baselines).map(([name, measured]) => [name, measured] as const),
  ];
  const categories = Object.keys(result.categories);
  const rows = systems.map(([name, measured]) => {
    const { overall } = measured;
    const cells = [
      overall.recall_at_5,
      overall.recall_at_10,
      overall.mrr,
      ...categories.map((category) => measured.categories[category]?.recall_at_5 ?? 0),
      `${measured.stale_violations}/${measured.stale_queries}`,
      measured.abstain_precision,
      measured.false_abstentions,
    ];
    return `| ${name} | ${cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(3) : cell)).join(' | ')} |`;
  });
  const head = ['system', 'R@5', 'R@10', 'MRR', ...categories, 'stale', 'abstain', 'false abst.'];
  const samples = result.subsamples.map(
    (sample) =>
      `| ${sample.records} | ${sample.queries} | ${sample.overall.recall_at_5.toFixed(3)} | ${sample.abstain_precision.toFixed(3)} | ${sample.false_abstentions.toFixed(3)} | ${sample.latency.p95_ms} |`,
  );
  return [
    `# ${result.set} (ranker ${result.ranker})`,
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows,
    '',
    '| records | queries | R@5 | abstain | false abst. | p95 ms |',
    '|---|---|---|---|---|---|',
    ...samples,
    '',
    `injection: ${JSON.stringify(result.injection)}`,
    ...(result.misses ?? []).map((miss) => `- ${miss}`),
  ].join('\n');
}
