import type { OpenReport } from '../../src/store/open-report';

/** Damage that no kill may cause: images, segments, missing frames. A torn tail was never acknowledged. */
export function damageOf(report: OpenReport): { damaged: number; quarantined: number } {
  const torn = report.quarantined.filter(({ reason }) => reason === 'torn_tail').length;
  return {
    damaged: report.quarantined.length - torn + report.missing.length,
    quarantined: report.quarantined.length,
  };
}
