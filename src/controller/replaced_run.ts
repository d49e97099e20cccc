/** Finds the run in whose place a new run stands. */
import type { Static } from '@sinclair/typebox';
import { invalidField } from '../errors';
import type { ReplacedRun } from '../service/run/branch_runs';
import type { StartRequest } from './schemas/run_schemas';

/** Returns the run in whose place the new run stands, if any. Throws `invalid_request`. */
export function replacedRunOf({ input, editOf, regenerate }: Static<typeof StartRequest>): ReplacedRun | undefined {
  if (editOf !== undefined && regenerate !== undefined)
    throw invalidField('/regenerate', 'must not stand beside editOf.', '不能与 editOf 同时出现。');
  if (regenerate !== undefined) return { runId: regenerate, field: '/regenerate' };
  if (input === undefined) throw invalidField('/input', 'must be present.', '必须存在。');
  return editOf === undefined ? undefined : { messageId: editOf, field: '/editOf' };
}
