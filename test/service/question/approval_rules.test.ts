import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfigDirectory } from '../../../src/adapter/config/config_directory';
import type { ApprovalSettings } from '../../../src/runtime/approval/approval_policy';
import { loadApprovalRules } from '../../../src/service/question/approval_rules';
import { withDirectory } from '../../support/temporary_store';

/** Loads the rules from a file with this text, or from a directory without a file. */
async function load(text?: string): Promise<ApprovalSettings> {
  let settings: ApprovalSettings | undefined;
  await withDirectory(async directory => {
    if (text !== undefined) await writeFile(join(directory, 'approvals.yaml'), text);
    settings = await loadApprovalRules(createConfigDirectory(directory));
  });
  return settings as ApprovalSettings;
}

describe('approvals.yaml', () => {
  it('contains a list of rules, and may be missing', async () => {
    expect(await load()).toEqual({ rules: [], defaults: { keyFiles: 'ask', taintedRequests: 'ask', taintedMemories: 'ask' } });
    const {
      rules: [first, second],
    } = await load(
      "rules:\n- { tool: bash, pattern: '^git push', decision: ask, session: rule, reason: { en: Shared. } }\n- { tool: '*', decision: deny }\n",
    );
    expect(first).toMatchObject({ tool: 'bash', decision: 'ask', session: 'rule', reason: { en: 'Shared.' } });
    expect(first?.pattern?.matcher('git push origin').find()).toBe(true);
    expect(second).toEqual({ tool: '*', decision: 'deny' });
  });

  it('can change the decisions of the default rules', async () => {
    expect((await load('rules: []\ndefaults: { keyFiles: deny }\n')).defaults).toEqual({
      keyFiles: 'deny',
      taintedRequests: 'ask',
      taintedMemories: 'ask',
    });
  });

  it('changes nothing in the file that comes with the gateway', async () => {
    const { hash: _, ...rules } = await loadApprovalRules(createConfigDirectory(join(__dirname, '../../../config')));
    expect(rules).toEqual(await load());
  });

  it.each([
    ['that is not YAML', 'rules: [', /^approvals\.yaml: .+/],
    ['that is empty', '', /^approvals\.yaml: \/: /],
    ['with an unknown field', 'rules: [{ tool: bash, decision: ask, when: x }]', /^approvals\.yaml: \/rules\/0\/when: /],
    ['with an unknown decision', 'rules: [{ tool: bash, decision: maybe }]', /^approvals\.yaml: \/rules\/0\/decision: /],
    ['with an unknown default rule', 'rules: []\ndefaults: { files: ask }', /^approvals\.yaml:.*\/defaults\/files/],
    ['with a rule without a tool', 'rules: [{ decision: ask }]', /^approvals\.yaml: \/rules\/0\/tool: /],
    [
      'with an invalid pattern',
      "rules: [{ tool: bash, decision: ask }, { tool: bash, pattern: '(', decision: ask }]",
      /^approvals\.yaml: \/rules\/1\/pattern: /,
    ],
    [
      'with a backreference in a pattern',
      "rules: [{ tool: bash, pattern: '(a)\\1', decision: ask }]",
      /^approvals\.yaml: \/rules\/0\/pattern: /,
    ],
  ])('refuses a file %s, and says where', async (_what, text, message) => {
    await expect(load(text)).rejects.toThrow(message);
  });
});
