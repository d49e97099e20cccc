/** A command of a manifest that the gateway serves without a process. */
import type { ToolContext, ToolResult } from '../../tools/common';
import type { SettingValues } from './setting_values';

/** `args`: valid arguments with the defaults of the command. */
export interface GatewayCall {
  args: Record<string, unknown>;
  settings: SettingValues;
  ctx: ToolContext;
}

export type GatewayCommand = (call: GatewayCall) => Promise<ToolResult>;
