import { parse } from 'yaml';
import { withoutRule, withRule, yamlPartOf } from '../../../src/feature/learned_rules/rule_file';
import type { ProposedRule } from '../../../src/feature/learned_rules/store/learned_rule_records';

const RULE: ProposedRule = { tool: 'bash', pattern: '^npm test$', decision: 'allow' };

it('makes a file that does not exist yet, and puts a rule before others', () => {
  const first = withRule(undefined, 'acme', { ...RULE, tool: 'terminal' }, 0);
  const both = withRule(first, 'acme', RULE, 0);
  expect(parse(both)).toEqual({ rules: [], tenants: { acme: { rules: [RULE, { ...RULE, tool: 'terminal' }] } } });
});

it('takes out exactly the rule that it put in, and the comments stay', () => {
  const text = '# mine\nrules:\n  - { tool: bash, decision: ask } # each one\n';
  const written = withRule(text, 'acme', RULE, 0);
  expect(yamlPartOf(written, 'acme')).toContain('npm test');
  expect(withoutRule(written, 'acme', RULE)).toBe(text);
  expect(withoutRule(written.replace('npm', 'yarn'), 'acme', RULE)).toBeUndefined();
  expect(withoutRule(written, 'rival', RULE)).toBeUndefined();
});

const DENY = '{ tool: bash, decision: deny }';
const SHARED_LIST = `rules: []\ntenants:\n  rival:\n    rules: &firm\n      - ${DENY}\n  acme:\n    rules: *firm\n`;

it.each([
  ['is an alias of the list of another tenant', SHARED_LIST, 'acme'],
  ['has an anchor that another tenant uses', SHARED_LIST, 'rival'],
  ['stands in a part that is an alias', `rules: []\ntenants:\n  rival: &part\n    rules:\n      - ${DENY}\n  acme: *part\n`, 'acme'],
  ['is the common list', `rules: &all\n  - ${DENY}\ntenants:\n  acme:\n    rules: *all\n`, 'acme'],
])('refuses to write into a list that %s, and every rule stays', (_, text, tenantId) => {
  expect(() => withRule(text, tenantId, RULE, 0)).toThrow(/by hand/);
});

it('takes no rule out of a list that another tenant shares', () => {
  const list = '\n      - { tool: bash, pattern: "^npm test$", decision: allow }';
  const text = `rules: []\ntenants:\n  rival:\n    rules: &both${list}\n  acme:\n    rules: *both\n`;
  expect(() => withoutRule(text, 'rival', RULE)).toThrow(/by hand/);
});

it('leaves the denials of the tenant and the aliases of other tenants as they are', () => {
  const text = `rules: []\ntenants:\n  one:\n    rules: &list\n      - ${DENY}\n  two:\n    rules: *list\n  acme:\n    rules:\n      - ${DENY}\n`;
  const denial = { tool: 'bash', decision: 'deny' };
  const others = { one: { rules: [denial] }, two: { rules: [denial] } };
  expect(parse(withRule(text, 'acme', RULE, 1))).toEqual({ rules: [], tenants: { ...others, acme: { rules: [denial, RULE] } } });
});
