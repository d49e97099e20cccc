/** Puts a rule into the part of a tenant in approvals.yaml, and takes it out again; comments and the order of the file stay. */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isSeq, parseDocument, stringify, YAMLSeq } from 'yaml';
import { AppError } from '../../errors';
import type { ProposedRule } from './store/learned_rule_records';

const NEW_FILE = 'rules: []\n';

const readable = (text: string | undefined): Document => parseDocument(text ?? NEW_FILE);

const listOf = (document: Document, tenantId: string): YAMLSeq | undefined => {
  const list = document.getIn(['tenants', tenantId, 'rules']);
  return isSeq(list) ? list : undefined;
};

/**
 * Returns the text with the rule at the place in the list of the tenant. `text`: a valid file; undefined: there is none yet. Throws `config_changed` for
 * a file whose YAML aliases would make the rule change other rules too.
 */
export function withRule(text: string | undefined, tenantId: string, rule: ProposedRule, index: number): string {
  const rules = rulesOf(text, tenantId).toSpliced(index, 0, rule);
  return edited(text, { tenantId, rules }, document => {
    if (!listOf(document, tenantId)) document.setIn(['tenants', tenantId, 'rules'], new YAMLSeq());
    const list = listOf(document, tenantId);
    if (!list) return;
    list.flow = false;
    list.items.splice(index, 0, document.createNode(rule));
  });
}

/**
 * Returns the text without the rule; undefined when the tenant has no such rule. Removes the tenant's part together with its last rule. Throws
 * `config_changed` for a file whose YAML aliases would remove other rules too.
 */
export function withoutRule(text: string | undefined, tenantId: string, rule: ProposedRule): string | undefined {
  const present = rulesOf(text, tenantId);
  const at = present.findIndex(item => isDeepStrictEqual(item, rule));
  if (at === -1) return undefined;
  return edited(text, { tenantId, rules: present.toSpliced(at, 1) }, document => {
    const list = listOf(document, tenantId);
    list?.items.splice(at, 1);
    if (list?.items.length !== 0) return;
    document.deleteIn(['tenants', tenantId]);
    const tenants = document.get('tenants');
    if (isMap(tenants) && tenants.items.length === 0) document.delete('tenants');
  });
}

/** Returns the part of the tenant as YAML; empty when it has none. */
export function yamlPartOf(text: string | undefined, tenantId: string): string {
  const rules = contentOf(readable(text)).tenants?.[tenantId]?.rules;
  return rules === undefined ? '' : stringify({ tenants: { [tenantId]: { rules } } }, { lineWidth: 0 });
}

interface Content {
  tenants?: Record<string, { rules?: unknown[] } | undefined>;
}

/** The service has checked the file against its schema. */
const contentOf = (document: Document): Content => (document.toJS() ?? {}) as Content;

const rulesOf = (text: string | undefined, tenantId: string): unknown[] => contentOf(readable(text)).tenants?.[tenantId]?.rules ?? [];

/** Applies the edit, and throws unless the new text says what the old one says, with these rules of the tenant. */
function edited(
  text: string | undefined,
  { tenantId, rules }: { tenantId: string; rules: readonly unknown[] },
  edit: (document: Document) => void,
): string {
  const document = readable(text);
  const before = contentOf(document);
  let result: string;
  let after: Content;
  try {
    edit(document);
    result = document.toString({ lineWidth: 0 });
    after = contentOf(readable(result));
  } catch (thrown) {
    throw editByHand(thrown);
  }
  const { [tenantId]: _, ...others } = before.tenants ?? {};
  const tenants = rules.length > 0 ? { ...others, [tenantId]: { rules } } : others;
  const expected = { ...before, tenants };
  if (!isDeepStrictEqual({ ...after, tenants: after.tenants ?? {} }, expected)) throw editByHand();
  return result;
}

const editByHand = (cause?: unknown): AppError =>
  new AppError('config_changed', {
    cause,
    message:
      'approvals.yaml uses YAML anchors or aliases for the rules of this tenant, so a change would affect other rules: edit the file by hand.',
    messageZh: 'approvals.yaml 中本租户的规则使用了 YAML 锚点或别名，改动会影响其他规则：请手动编辑该文件。',
  });
