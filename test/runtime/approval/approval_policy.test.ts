import { RE2JS } from 're2js';
import {
  type ApprovalRule,
  callFingerprint,
  createApprovalPolicy,
  DEFAULT_DECISIONS,
  type PolicySettings,
} from '../../../src/runtime/approval/approval_policy';
import { cpuTime } from '../../support/cpu_time';

const BASH = { name: 'bash', effect: 'external' } as const;
const DELETE = { name: 'file_delete', effect: 'write' } as const;
const READ = { name: 'read_file', effect: 'read', reads: 'private' } as const;

function judge(rules: (Omit<ApprovalRule, 'pattern'> & { pattern?: string })[], isIsolated = true) {
  const compiled = rules.map(({ pattern, ...rule }) => ({ ...rule, ...(pattern !== undefined && { pattern: RE2JS.compile(pattern) }) }));
  const policy = createApprovalPolicy({ rules: compiled, isIsolated });
  return (command: string, tool: typeof BASH | typeof READ = BASH) => policy.judge({ tool, args: { command } });
}

describe('the default rules', () => {
  it('allow every command inside a sandbox', () => {
    expect(judge([], true)('rm -rf .').decision).toBe('allow');
  });

  it('ask before a destructive command without a sandbox, and say why in both languages', () => {
    expect(judge([], false)('rm -rf .')).toMatchObject({
      decision: 'ask',
      reason: { en: expect.stringMatching(/deletes files.*without a sandbox/), 'zh-CN': expect.stringContaining('沙箱') },
      sessionScope: 'exact',
    });
    expect(judge([], false)('ls -l').decision).toBe('allow');
  });

  it('allow file tools, which stay in the workspace, and tools that only read', () => {
    const policy = createApprovalPolicy({ rules: [], isIsolated: false });
    expect(policy.judge({ tool: DELETE, args: { path: 'notes.txt' } }).decision).toBe('allow');
    expect(policy.judge({ tool: READ, args: { command: 'rm -rf .' } }).decision).toBe('allow');
  });
});

describe('the default rule about key files', () => {
  const policy = createApprovalPolicy({ rules: [], isIsolated: true });
  const decide = (path: string) => policy.judge({ tool: READ, args: { path } }).decision;

  it.each([
    ...[
      '.env',
      '.env.local',
      'app/.env.production',
      './a/../.ENV',
      '.envrc',
      '/work/space/.npmrc',
      '.netrc',
      '.pgpass',
      '.git-credentials',
    ],
    ...[
      'certs/server.pem',
      'tls.key',
      'id_rsa',
      '.ssh/id_ed25519',
      'keys.p12',
      'release.keystore',
      '.aws/credentials',
      '.docker/config.json',
    ],
  ])('asks first: %s', path => {
    expect(decide(path)).toBe('ask');
  });

  it.each(['.env.example', '.env.sample', 'id_rsa.pub', 'environment.ts', 'keys.md', 'docs/credentials', 'monkey', 'src/pem.ts'])(
    'does not ask about %s',
    path => {
      expect(decide(path)).toBe('allow');
    },
  );

  it('names the file in both languages and covers this call only', () => {
    expect(policy.judge({ tool: READ, args: { path: '.env' } })).toMatchObject({
      decision: 'ask',
      reason: { en: expect.stringContaining('.env looks like'), 'zh-CN': expect.stringContaining('密钥') },
      sessionScope: 'exact',
    });
  });

  it('follows the decision of the operator', () => {
    const of = (keyFiles: 'allow' | 'deny') =>
      createApprovalPolicy({ rules: [], isIsolated: true, defaults: { ...DEFAULT_DECISIONS, keyFiles } });
    const call = { tool: READ, args: { path: '.env' } };
    expect([of('allow').judge(call).decision, of('deny').judge(call).decision]).toEqual(['allow', 'deny']);
    const allowing = createApprovalPolicy({ rules: [{ tool: 'read_file', decision: 'allow' }], isIsolated: true });
    expect(allowing.judge(call).decision).toBe('allow');
  });

  it('allows tools that return no file content', () => {
    expect(policy.judge({ tool: DELETE, args: { path: '.env' } }).decision).toBe('allow');
  });
});

it('[taint] decides about a request that could send private content outside as the operator says', () => {
  const fetch = { name: 'fetch_page', effect: 'read', reads: 'untrusted' } as const;
  const taint = [{ toolCallId: 'c1', tool: 'read_file', kind: 'private', source: 'notes.txt' }] as const;
  const decide = (settings: Partial<PolicySettings>) =>
    createApprovalPolicy({ rules: [], isIsolated: true, ...settings }).judge({ tool: fetch, args: { url: 'https://x.example/' }, taint });
  expect(decide({})).toMatchObject({
    decision: 'ask',
    reason: { en: expect.stringContaining('x.example'), 'zh-CN': expect.stringContaining('x.example') },
  });
  expect(decide({ defaults: { ...DEFAULT_DECISIONS, taintedRequests: 'allow' } }).decision).toBe('allow');
  expect(decide({ defaults: { ...DEFAULT_DECISIONS, taintedRequests: 'deny' } }).decision).toBe('deny');
  const pattern = RE2JS.compile('"url":"https://x\\.example/');
  expect(decide({ rules: [{ tool: 'fetch_page', pattern, decision: 'allow' }] }).decision).toBe('allow');
});

describe('without a sandbox on this machine', () => {
  const policy = createApprovalPolicy({ rules: [], isIsolated: false, asksAboutAllCommands: true });
  const ask = (command: string) => policy.judge({ tool: BASH, args: { command } });

  it('asks about every command and says in both languages how to get a sandbox', () => {
    expect(ask('ls -l')).toMatchObject({
      decision: 'ask',
      reason: {
        en: expect.stringMatching(/bubblewrap.*NETA_SANDBOX=none/),
        'zh-CN': expect.stringMatching(/bubblewrap.*NETA_SANDBOX=none/),
      },
      sessionScope: 'exact',
    });
    expect(ask('rm -rf .')).toMatchObject({ reason: { en: expect.stringContaining('deletes files') } });
  });

  it('applies rules of the operator first and does not ask about other tools', () => {
    const ruled = createApprovalPolicy({
      rules: [{ tool: 'bash', pattern: RE2JS.compile('^git status$'), decision: 'allow' }],
      isIsolated: false,
      asksAboutAllCommands: true,
    });
    expect(ruled.judge({ tool: BASH, args: { command: 'git status' } }).decision).toBe('allow');
    expect(policy.judge({ tool: DELETE, args: { path: 'notes.txt' } }).decision).toBe('allow');
  });
});

describe('without a sandbox and with files of several tenants', () => {
  let isShared = true;
  const policy = (isIsolated: boolean) => createApprovalPolicy({ rules: [], isIsolated, isShared: () => isShared });
  const program = { name: 'greeter', effect: 'read' as const, origin: 'manifest' as const };

  it('asks about every command and every program of a manifest, because they could read the files of other tenants', () => {
    expect(policy(false).judge({ tool: BASH, args: { command: 'ls' } }).decision).toBe('ask');
    expect(policy(false).judge({ tool: program, args: {} })).toMatchObject({
      decision: 'ask',
      reason: { en: expect.stringContaining('other tenants'), 'zh-CN': expect.stringContaining('其他租户') },
    });
    expect(policy(true).judge({ tool: program, args: {} }).decision).toBe('allow');
    isShared = false;
    expect(policy(false).judge({ tool: BASH, args: { command: 'ls' } }).decision).toBe('allow');
    expect(policy(false).judge({ tool: program, args: {} }).decision).toBe('allow');
  });

  it('lets no rule of a tenant allow a program of a manifest, only a common rule', () => {
    const allow: ApprovalRule = { tool: 'greeter', decision: 'allow' };
    const settings = { isIsolated: false, isShared: () => true };
    const decide = (rules: ApprovalRule[], tenantRules: ApprovalRule[]) =>
      createApprovalPolicy({ ...settings, rules, tenantRules }).judge({ tool: program, args: {} }).decision;
    expect([decide([], [allow]), decide([allow], []), decide([], [{ ...allow, decision: 'deny' }])]).toEqual(['ask', 'allow', 'deny']);
  });
});

describe('the rules of the operator', () => {
  it('apply in order, the first match decides, and each names one tool or all', () => {
    const of = judge([
      { tool: 'read_file', decision: 'deny' },
      { tool: 'bash', pattern: '^git push\\b', decision: 'ask' },
      { tool: 'bash', pattern: '^git\\b', decision: 'allow' },
      { tool: '*', decision: 'deny', reason: { en: 'Only git.' } },
    ]);
    expect(of('git push origin').decision).toBe('ask');
    expect(of('git status').decision).toBe('allow');
    expect(of('ls')).toMatchObject({ decision: 'deny', reason: { en: 'Only git.', 'zh-CN': expect.stringContaining('bash') } });
    expect(of('x', READ).decision).toBe('deny');
  });

  it('allow a line when every command in it matches, and ask about or deny it when one does', () => {
    const allowing = judge([{ tool: 'bash', pattern: '^(git|rm build)\\b', decision: 'allow' }], false);
    expect([allowing('git add . && rm build').decision, allowing('git add . && rm -rf ~').decision]).toEqual(['allow', 'ask']);
    expect(allowing('git log $(rm -rf ~)').decision).toBe('ask');
    const forbidding = judge([{ tool: 'bash', pattern: '^curl\\b', decision: 'deny' }]);
    expect([forbidding('ls; curl x').decision, forbidding('echo curl').decision]).toEqual(['deny', 'allow']);
  });

  it.each(['ls `true`#; rm -rf b', 'ls $(true)#x; rm -rf b', "ls $'\\'' ; rm -rf b #'", 'echo hi <<EOF\nrm\nEOF'])(
    'do not allow by its text a line that can hide commands: %j',
    line => {
      const of = judge([
        { tool: '*', pattern: '^(ls|echo|true)\\b', decision: 'allow' },
        { tool: '*', decision: 'ask' },
      ]);
      expect(of(line).decision).toBe('ask');
      expect(of('ls; echo "$HOME" # fine').decision).toBe('allow');
    },
  );

  it('ask about or deny a command inside wrappers too, and allow it only as written', () => {
    const of = judge([{ tool: 'bash', pattern: '^git push\\b', decision: 'deny' }]);
    for (const line of ['env git push', 'timeout 9 git push', '/usr/bin/git push', 'env A=1 /usr/bin/git push']) {
      expect([line, of(line).decision]).toEqual([line, 'deny']);
    }
    const allowing = judge([
      { tool: 'bash', pattern: '^git\\b', decision: 'allow' },
      { tool: '*', decision: 'ask' },
    ]);
    expect(allowing('env GIT_SSH=x git fetch').decision).toBe('ask');
  });

  it('match the arguments as JSON when there is no command', () => {
    const policy = createApprovalPolicy({
      rules: [{ tool: 'file_delete', pattern: RE2JS.compile('"path":"src/'), decision: 'ask' }],
      isIsolated: true,
    });
    expect(policy.judge({ tool: DELETE, args: { recursive: true, path: 'src/a' } }).decision).toBe('ask');
    expect(policy.judge({ tool: DELETE, args: { path: 'docs/a' } }).decision).toBe('allow');
  });

  it('match in linear time with patterns that make backtracking engines hang', () => {
    const of = judge([{ tool: 'bash', pattern: '(a+)+$', decision: 'ask' }]);
    const startedAt = cpuTime();
    of(`${'a'.repeat(20_000)}!`);
    expect(cpuTime() - startedAt).toBeLessThan(2_000);
  });
});

describe('an approval for the session', () => {
  const grantOf = (verdict: ReturnType<ReturnType<typeof judge>>) => (verdict.decision === 'ask' ? verdict.grant : undefined);

  it('covers the same call, or everything that the rule asks about when the rule says so', () => {
    const exact = judge([{ tool: '*', decision: 'ask' }]);
    expect(grantOf(exact('make a'))).toBe(grantOf(exact('make a')));
    expect(grantOf(exact('make a'))).not.toBe(grantOf(exact('make b')));
    const rule = judge([{ tool: '*', decision: 'ask', session: 'rule' }]);
    expect(grantOf(rule('make a'))).toBe(grantOf(rule('make b')));
    expect(grantOf(rule('make a'))).not.toBe(grantOf(rule('make a', READ)));
  });

  it('covers one call of a tool that keeps state, unless the rule says otherwise', () => {
    const tool = { name: 'repl', effect: 'external', keepsState: true } as const;
    const of = (session: 'exact' | 'rule') =>
      createApprovalPolicy({ rules: [{ tool: '*', decision: 'ask', session }], isIsolated: true }).judge({ tool, args: {} });
    expect([of('exact'), of('rule')]).toMatchObject([{ sessionScope: 'none' }, { sessionScope: 'rule' }]);
  });

  it('does not depend on the order of the arguments', () => {
    expect(callFingerprint('bash', { a: 1, b: { c: 2, d: 3 } })).toBe(callFingerprint('bash', { b: { d: 3, c: 2 }, a: 1 }));
    expect(callFingerprint('bash', { a: 1 })).not.toBe(callFingerprint('bash', { a: '1' }));
  });
});

it('asks for a tool that always needs approval, unless a rule of the operator decides', () => {
  const reason = { en: 'It is lasting.', 'zh-CN': '它会一直有效。' };
  const call = { tool: { name: 'keep', effect: 'write' as const, approval: { reason } }, args: { text: 'x' } };
  expect(createApprovalPolicy({ rules: [], isIsolated: true }).judge(call)).toMatchObject({
    decision: 'ask',
    reason,
    sessionScope: 'exact',
  });
  const rules = [{ tool: 'keep', decision: 'allow' as const }];
  expect(createApprovalPolicy({ rules, isIsolated: true }).judge(call)).toEqual({ decision: 'allow' });
});

describe('rules of a tenant', () => {
  const bash = (pattern: string, decision: 'ask' | 'allow' | 'deny', more: object = {}) => ({
    tool: 'bash',
    pattern: RE2JS.compile(pattern),
    decision,
    ...more,
  });
  const policy = createApprovalPolicy({
    rules: [bash('^deploy', 'ask', { approvers: 2 }), bash('^curl', 'deny'), bash('^git', 'ask'), bash('^ls', 'allow')],
    tenantRules: [bash('^ls', 'deny'), bash('.', 'allow')],
    isIsolated: true,
  });

  it.each([
    ['come before a rule that asks', 'git push', 'allow'],
    ['may forbid more', 'ls', 'deny'],
    ['never loosen what is forbidden for all', 'curl x', 'deny'],
    ['never loosen what colleagues must allow', 'deploy', 'ask'],
  ])('%s: %s', (_what, command, decision) => {
    expect(policy.judge({ tool: BASH, args: { command } }).decision).toBe(decision);
  });
});
