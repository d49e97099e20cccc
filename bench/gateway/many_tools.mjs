/** A copy of a build of the gateway with more tools, added in the documented way: a class whose methods are tools. */
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryDirectory } from './leftovers.mjs';

/** Tools of the gateway's default agent. */
export const OWN_TOOLS = 7;

const classWith = extra => `
const { Provide } = require('@midwayjs/core');
const { Type } = require('@sinclair/typebox');
const { AgentTool } = require('./tools/agent_tool_decorator');

class ExtraTools {}
for (let i = 0; i < ${extra}; i += 1) {
  const method = 'extraTool' + i;
  ExtraTools.prototype[method] = async () => 'hello';
  AgentTool({
    name: 'extra_tool_' + i,
    toolset: 'base',
    label: 'Extra tool ' + i,
    description: 'Extra tool ' + i + ' of the bench.',
    effect: 'read',
    parameters: Type.Object({ path: Type.String() }, { additionalProperties: false }),
  })(ExtraTools.prototype, method, Object.getOwnPropertyDescriptor(ExtraTools.prototype, method));
}
Provide()(ExtraTools);
exports.TOOL_CLASSES = [ExtraTools];
`;

/** Returns the directory of the copy, which the caller removes. `extra`: tools beside the built-in ones. */
export function copyWithTools(root, extra) {
  const copy = makeTemporaryDirectory('neta-bench-tools-');
  for (const name of ['bootstrap.js', 'package.json', 'config', 'dist']) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'dist/src/tool_classes.js'), classWith(extra));
  return copy;
}
