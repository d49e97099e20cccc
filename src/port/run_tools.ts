/** The tools that a request leaves to its run. */
import { type Static, Type } from '@sinclair/typebox';
import { says } from '../utils/bilingual';
import { closedObject, Optional } from '../utils/schema_types';

const Names = (en: string, zhCN: string) =>
  Optional.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), { maxItems: 256, ...says(en, zhCN) });

export const RunTools = closedObject(
  {
    allow: Names('names of the only tools that the run may use', '此运行只能使用的工具的名字'),
    deny: Names('names of tools that the run may not use; counts before allow', '此运行不能使用的工具的名字；优先于 allow'),
  },
  says(
    'narrows the tools of the agent, and of the members to which it delegates; GET /api/v1/tools lists the names',
    '收紧智能体及其委派成员的工具；GET /api/v1/tools 列出名字',
  ),
);
export type RunTools = Static<typeof RunTools>;

/** Returns the choice that leaves what both leave. */
export function narrowTools(first: RunTools | undefined, second: RunTools | undefined): RunTools | undefined {
  if (!first || !second) return first ?? second;
  const allow = first.allow && second.allow ? first.allow.filter(name => second.allow?.includes(name)) : (first.allow ?? second.allow);
  return { allow, deny: [...new Set([...(first.deny ?? []), ...(second.deny ?? [])])] };
}

/** Returns true when the request leaves the tool to its run. */
export const allowsTool = ({ allow, deny }: RunTools, name: string): boolean => !deny?.includes(name) && (allow?.includes(name) ?? true);
