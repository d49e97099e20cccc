/** Says how much a call that needs approval can change, for the person who decides. */
import type { ApprovalRisk } from '../../port/run_event';
import type { ToolSpec } from '../../tools/common';
import { commandOf } from './default_rules';
import { destructionIn } from './destructive_commands';

/** Pure. The first kind that fits is the risk: destructive, outside, change, read. */
export function riskOf(tool: Pick<ToolSpec, 'effect' | 'memory' | 'name' | 'reaches'>, args: unknown): ApprovalRisk {
  const command = commandOf({ tool, args });
  const destroys = command !== undefined && destructionIn(command) !== undefined;
  if (destroys || tool.memory === 'removes' || tool.name === 'file_delete') return 'destructive';
  if (tool.effect === 'external' || tool.reaches === 'outside') return 'outside';
  return tool.effect === 'read' ? 'read' : 'change';
}
