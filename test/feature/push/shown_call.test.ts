import { hashCall, MAX_LINE_UNITS, showCall } from '../../../src/feature/push/shown_call';
import type { ApprovalSubject } from '../../../src/port/store/questions';

const aCall = (fields: Partial<ApprovalSubject>): ApprovalSubject => ({
  tool: 'bash',
  label: 'Run command',
  args: { command: 'npm test' },
  fingerprint: 'f',
  sessionScope: 'exact',
  grant: 'g',
  risk: 'change',
  ...fields,
});
const options = {
  redact: (text: string) => text.replaceAll('hunter2', '[redacted]'),
  workspacePath: '/srv/files',
  inDirectory: (line: string, directory: string) => `${line} (in ${directory})`,
};

it('offers to allow a harmless call that one line shows as a whole', () => {
  expect(showCall(aCall({}), options)).toEqual({ line: 'Run command: npm test', canBeAllowed: true });
  const args = { command: 'npm test', cwd: 'web' };
  expect(showCall(aCall({ args }), options)).toEqual({ line: `Run command: ${JSON.stringify(args)}`, canBeAllowed: true });
});

it.each([
  ['/srv/files', ''],
  ['/srv/files/web', ' (in web)'],
  ['/srv', ' (in /srv)'],
  ['/', ' (in /)'],
])('says that a command would run in %s, when it is not the workspace, and binds the action to it', (directory, place) => {
  const call = aCall({ args: { command: 'make clean' }, directory });
  expect(showCall(call, options)).toEqual({ line: `Run command: make clean${place}`, canBeAllowed: true });
  expect(hashCall(call)).not.toBe(hashCall({ ...call, directory: '/srv/files/other' }));
});

it.each([
  ['destroys', { risk: 'destructive' as const }],
  ['reaches outside', { risk: 'outside' as const }],
  ['has no risk, because an older gateway asked', { risk: undefined }],
  ['could leak private content', { taint: [{ toolCallId: 'c', tool: 'read_file', kind: 'private' as const, source: 'a.md' }] }],
  ['is longer than the line', { args: { command: `echo ${'a'.repeat(MAX_LINE_UNITS)}` } }],
  ['has several lines', { args: { command: 'npm test\nnpm publish' } }],
  ['has an invisible character', { args: { command: 'echo a\u202eb' } }],
  ['holds a secret', { args: { command: 'login hunter2' } }],
])('does not offer it for a call that %s', (_case, fields) => {
  const { line, canBeAllowed } = showCall(aCall(fields), options);
  expect(canBeAllowed).toBe(false);
  expect(line.length).toBeLessThanOrEqual(MAX_LINE_UNITS);
  expect(line).not.toMatch(/\n|hunter2/);
});
