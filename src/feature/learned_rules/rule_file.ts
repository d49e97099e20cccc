/** Puts a rule into the part of a tenant in approvals.yaml, and takes it out again; comments and the order of the file stay. */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isSeq, parseDocument, stringify, YAMLSeq } from 'yaml';
import type { ProposedRule } from './store/learned_rule_records';

const NEW_FILE = 'rules: []\n';

const readable = (text: string | undefined): Document => parseDocument(text ?? NEW_FILE);

const listOf = (document: Document, tenantId: string): YAMLSeq | undefined => {
  const list = document.getIn(['tenants', tenantId, 'rules']);
  return isSeq(list) ? list : undefined;
};

/** Returns the text with the rule at the place in the list of the tenant. `text`: a valid file; undefined: there is none yet. */
export function withRule(text: string | undefined, tenantId: string, rule: ProposedRule, index: number): string {
  const document = readable(text);
  if (!listOf(document, tenantId)) document.setIn(['tenants', tenantId, 'rules'], new YAMLSeq());
  const list = listOf(document, tenantId);
  if (!list) throw new Error(`approvals.yaml has no list of rules of ${tenantId}.`);
  list.flow = false;
  list.items.splice(index, 0, document.createNode(rule));
  return document.toString({ lineWidth: 0 });
}

/** Returns the text without the rule; undefined when the tenant has no such rule. A part without rules goes with its last one. */
export function withoutRule(text: string | undefined, tenantId: string, rule: ProposedRule): string | undefined {
  const document = readable(text);
  const list = listOf(document, tenantId);
  const at = list?.items.findIndex(item => isMap(item) && isDeepStrictEqual(item.toJSON(), rule)) ?? -1;
  if (!list || at === -1) return undefined;
  list.items.splice(at, 1);
  const tenants = document.get('tenants');
  if (list.items.length === 0) document.deleteIn(['tenants', tenantId]);
  if (isMap(tenants) && tenants.items.length === 0) document.delete('tenants');
  return document.toString({ lineWidth: 0 });
}

/** Returns the part of the tenant as YAML; empty when it has none. */
export function partOf(text: string | undefined, tenantId: string): string {
  const rules: unknown = listOf(readable(text), tenantId)?.toJSON();
  return rules === undefined ? '' : stringify({ tenants: { [tenantId]: { rules } } }, { lineWidth: 0 });
}
