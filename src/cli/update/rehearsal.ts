/** Tries an update on a copy of the data, and the way back. */
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GatewayData } from '../../archives';
import type { Bilingual } from '../../utils/bilingual';
import type { Candidate } from './candidate';
import { type Copy, type Rehearsal, rehearse, runNeta } from './rehearsed_gateway';
import { UPDATE_TEXTS as TEXTS, UpdateError } from './update_texts';

export interface Finding {
  /** `blocks`: the update must not go on; `shown`: a person should know. */
  kind: 'blocks' | 'shown';
  what: Bilingual;
  detail: string;
}

export interface RehearsalReport {
  /** The kind of store on which the versions ran. */
  store: 'sqlite' | 'postgres';
  /** Runs that were replayed. */
  replayed: number;
  findings: Finding[];
}

export interface RehearsalParams {
  /** Directory of the package that the gateway runs now. */
  currentRoot: string;
  candidate: Candidate;
  /** A backup of the gateway. */
  archive: string;
  data: Pick<GatewayData, 'createRehearsalDatabase'>;
  /** Directory in which the copy is made, and removed afterwards. */
  versions: string;
  env: NodeJS.ProcessEnv;
  runs: number;
}

/**
 * Restores the backup beside the gateway, and starts the current version, the candidate, and the current version again on this copy, one after the
 * other: the candidate migrates it, and the last start proves that a rollback works. The copy of a Postgres is a database of its own on the same server,
 * or SQLite when the server refuses that. Rejects with UpdateError when the copy cannot be made.
 */
export async function rehearseUpdate(params: RehearsalParams): Promise<RehearsalReport> {
  const { data, versions, env, runs } = params;
  const folder = await mkdtemp(join(versions, '.rehearsal-'));
  try {
    const database = await data.createRehearsalDatabase();
    const copy: Copy = { folder, home: dirname(versions), env, runs };
    if (database === undefined) return { store: 'sqlite', ...(await rehearseOn(copy, params)) };
    if ('refused' in database) {
      const { replayed, findings } = await rehearseOn(copy, params);
      return { store: 'sqlite', replayed, findings: [{ kind: 'shown', what: TEXTS.noDatabase, detail: database.refused }, ...findings] };
    }
    try {
      return { store: 'postgres', ...(await rehearseOn({ ...copy, databaseUrl: database.url }, params)) };
    } finally {
      await database.drop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rehearseOn(copy: Copy, { currentRoot, candidate, archive }: RehearsalParams): Promise<Omit<RehearsalReport, 'store'>> {
  await restoreCopy([currentRoot, candidate.root], archive, copy);
  const before = await rehearse(currentRoot, copy);
  if (before.failure !== undefined) throw new UpdateError(TEXTS.noCopy, before.failure);
  const after = await rehearse(candidate.root, copy);
  const findings = compare(before, after);
  if (findings.every(({ kind }) => kind === 'shown')) findings.push(...compareBack(await rehearse(currentRoot, copy)));
  return { replayed: after.replays?.length ?? 0, findings };
}

/** After a rollback the store has additions of a later version, which only that version can restore. */
async function restoreCopy([root = '', ...others]: readonly string[], archive: string, copy: Copy): Promise<void> {
  try {
    await runNeta(root, ['restore', archive], copy);
  } catch (thrown) {
    if (others.length === 0) throw new UpdateError(TEXTS.noCopy, (thrown as Error).message);
    await restoreCopy(others, archive, copy);
  }
}

/** Says how the candidate is worse than the version before, on the same data. */
function compare(before: Rehearsal, after: Rehearsal): Finding[] {
  if (after.failure !== undefined) return [{ kind: 'blocks', what: TEXTS.noStart, detail: after.failure }];
  const failedBefore = new Set(before.checks.filter(({ status }) => status === 'fail').map(({ name }) => name));
  const failed = after.checks.filter(({ name, status }) => status === 'fail' && !failedBefore.has(name));
  return [
    ...failed.map(({ name, message }): Finding => ({ kind: 'blocks', what: TEXTS.checkFails, detail: `${name}: ${message}` })),
    ...compareReplays(before, after),
  ];
}

function compareReplays({ replays: before = [] }: Rehearsal, { replays: after }: Rehearsal): Finding[] {
  if (after === undefined) return [{ kind: 'shown', what: TEXTS.noReplays, detail: '' }];
  const known = new Map(before.map(replay => [replay.runId, replay]));
  const worse = after.filter(({ runId, result }) => result !== 'same' && known.get(runId)?.result === 'same');
  const changed = after.filter(({ runId, changedRequests }) => changedRequests > (known.get(runId)?.changedRequests ?? 0));
  const findings = worse.map(
    ({ runId, differences, error = '' }): Finding => ({
      kind: 'blocks',
      what: TEXTS.runDiffers,
      detail: `${runId}: ${differences.join(', ') || error}`,
    }),
  );
  if (changed.length > 0) findings.push({ kind: 'shown', what: TEXTS.promptsChange, detail: changed.map(({ runId }) => runId).join(', ') });
  return findings;
}

const compareBack = ({ failure }: Rehearsal): Finding[] =>
  failure === undefined ? [] : [{ kind: 'shown', what: TEXTS.oneWay, detail: failure }];
