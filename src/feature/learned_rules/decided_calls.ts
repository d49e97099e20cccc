/** Reads the calls about which people of a tenant have decided. */
import type { Principal } from '../../port/principal';
import type { Store } from '../../port/store/store';
import type { SessionAccess } from '../../service/access/session_access';
import { allOf } from '../../service/all_pages';
import { readDecision } from '../../service/question/question_events';
import { clipText } from '../../utils/clip_text';
import type { DecidedCall } from './propose_rules';

const MAX_APPROVALS = 2_000;
/** Patterns are shorter, so the rest of a long text decides nothing. */
const MAX_TEXT_UNITS = 2_000;

/** Reads the newest decisions since the time, also those of sessions that the caller does not see: each no counts against a rule. */
export async function readDecidedCalls(
  { store, sessionAccess }: { store: Pick<Store, 'read'>; sessionAccess: Pick<SessionAccess, 'maySee'> },
  caller: Principal,
  since: number,
): Promise<DecidedCall[]> {
  const { tenantId } = caller;
  const calls: DecidedCall[] = [];
  for await (const { sessionId, approval, answer } of allOf(page => store.read.learnedRules.listApprovals(tenantId, { since }, page))) {
    if (!approval || answer === undefined) continue;
    const { decision, args } = readDecision(answer);
    // A person who changed the arguments did not allow the call as it was.
    const isAllowed = decision !== 'deny' && args === undefined;
    calls.push({
      approval: { ...approval, args: withoutLongTexts(approval.args) },
      isAllowed,
      isSeen: await sessionAccess.maySee(caller, sessionId),
    });
    if (calls.length === MAX_APPROVALS) break;
  }
  return calls;
}

function withoutLongTexts(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const clipped = (value: unknown) => (typeof value === 'string' ? clipText(value, MAX_TEXT_UNITS) : value);
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, clipped(value)]));
}
