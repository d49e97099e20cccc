/** Sums the results of rounds and formats them as a table. */
import { VIOLATION_KINDS, type Violation } from './client_record';
import type { RoundResult } from './fault_bench';

export interface TableRow {
  point: string;
  rounds: number;
  kills: number;
  runs: number;
  acks: number;
  violations: Violation[];
}

export const newRow = (point: string): TableRow => ({ point, rounds: 0, kills: 0, runs: 0, acks: 0, violations: [] });

export function addRound(row: TableRow, { kills, runs, acks, violations }: RoundResult): void {
  row.rounds += 1;
  row.kills += kills;
  row.runs += runs;
  row.acks += acks;
  row.violations.push(...violations);
}

/** Formats a Markdown table with a line of sums. */
export function formatTable(rows: readonly TableRow[]): string {
  const sum = newRow('all');
  for (const row of rows) {
    for (const field of ['rounds', 'kills', 'runs', 'acks'] as const) sum[field] += row[field];
    sum.violations.push(...row.violations);
  }
  const cells = [...rows, sum].map(({ point, rounds, kills, runs, acks, violations }) =>
    [point, rounds, kills, runs, acks, violations.length, byKind(violations)].join(' | '),
  );
  const head = 'killed at | rounds | kills | runs | acks | violations | by kind';
  return [head, head.replaceAll(/[^|]+/g, ' --- ').trim(), ...cells].map(line => `| ${line} |`).join('\n');
}

function byKind(violations: readonly Violation[]): string {
  const counts = VIOLATION_KINDS.map(kind => [kind, violations.filter(violation => violation.kind === kind).length] as const);
  return counts.flatMap(([kind, count]) => (count > 0 ? [`${kind} ${count}`] : [])).join(', ') || 'none';
}
