/** Says how much a call that needs approval can change, for the person who decides. */
import type { ApprovalRisk } from '../../port/run_event';
import type { ToolSpec } from '../../tools/common';
import { commandOf } from './default_rules';
import { destructionIn } from './destructive_commands';
import { staysLocal } from './local_commands';

export interface RiskyCall {
  tool: Pick<ToolSpec, 'effect' | 'memory' | 'name' | 'reaches'>;
  args: unknown;
  /** Commands run in a sandbox, which has no network. */
  isIsolated: boolean;
}

/**
 * Pure. The first kind that fits is the risk: destructive, outside, change, read. A command without a sandbox reaches outside unless its programs are
 * known to stay local.
 */
export function riskOf({ tool, args, isIsolated }: RiskyCall): ApprovalRisk {
  const command = commandOf({ tool, args });
  const destroys = command !== undefined && destructionIn(command) !== undefined;
  if (destroys || tool.memory === 'removes' || tool.name === 'file_delete') return 'destructive';
  if (tool.effect === 'external' || tool.reaches === 'outside') return 'outside';
  if (command !== undefined && !isIsolated && !staysLocal(command)) return 'outside';
  return tool.effect === 'read' ? 'read' : 'change';
}
