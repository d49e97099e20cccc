import { parse } from 'yaml';
import { partOf, withoutRule, withRule } from '../../../src/feature/learned_rules/rule_file';
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
  expect(partOf(written, 'acme')).toContain('npm test');
  expect(withoutRule(written, 'acme', RULE)).toBe(text);
  expect(withoutRule(written.replace('npm', 'yarn'), 'acme', RULE)).toBeUndefined();
  expect(withoutRule(written, 'rival', RULE)).toBeUndefined();
});
