/** The operator's rules about approvals, and changes to the default rules: config/approvals.yaml. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { RE2JS } from 're2js';
import { type ApprovalRule, type ApprovalSettings, DEFAULT_DECISIONS } from '../../runtime/approval/approval_policy';
import { checkYaml, parseYaml, type YamlFile } from '../yaml_file';

const closed = { additionalProperties: false };
const FILE = 'approvals.yaml';

const RuleText = Type.Object(
  {
    tool: Type.String({ pattern: '^([A-Za-z0-9_-]{1,64}|\\*)$' }),
    pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    decision: Type.Union([Type.Literal('ask'), Type.Literal('allow'), Type.Literal('deny')]),
    reason: Type.Optional(
      Type.Object({ en: Type.Optional(Type.String({ maxLength: 500 })), 'zh-CN': Type.Optional(Type.String({ maxLength: 500 })) }, closed),
    ),
    session: Type.Optional(Type.Union([Type.Literal('exact'), Type.Literal('rule')])),
  },
  closed,
);
const DefaultDecision = Type.Union([Type.Literal('ask'), Type.Literal('allow'), Type.Literal('deny')]);
const RulesFile = Type.Object(
  {
    rules: Type.Array(RuleText, { maxItems: 500 }),
    defaults: Type.Optional(
      Type.Object({ keyFiles: Type.Optional(DefaultDecision), taintedRequests: Type.Optional(DefaultDecision) }, closed),
    ),
  },
  closed,
);

const checker = TypeCompiler.Compile(RulesFile);

/** Reads the file of the directory; without one there are only the default rules. Rejects with one sentence that names file, field and line. */
export async function loadApprovalRules(directory: string): Promise<ApprovalSettings> {
  const text = await readFile(join(directory, FILE), 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined;
    throw new Error(`${FILE}: ${thrown.message}.`);
  });
  if (text === undefined) return { rules: [], defaults: DEFAULT_DECISIONS };
  const yaml = parseYaml(FILE, text);
  const { rules, defaults } = checkYaml(yaml, checker, 'a list of rules') as Static<typeof RulesFile>;
  return { rules: rules.map((rule, index) => toRule(rule, index, yaml)), defaults: { ...DEFAULT_DECISIONS, ...defaults } };
}

function toRule({ pattern, ...rule }: Static<typeof RuleText>, index: number, yaml: YamlFile): ApprovalRule {
  if (pattern === undefined) return rule;
  try {
    return { ...rule, pattern: RE2JS.compile(pattern) };
  } catch (thrown) {
    const reason = thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : 'cannot be read';
    throw yaml.problem(`/rules/${index}/pattern`, reason);
  }
}
