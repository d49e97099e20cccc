/** Checks real processes: living, ended and dead but not reaped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInstanceId } from '../../../../src/adapter/local/node/instance_id';

const identity = createInstanceId();
const [place, , started] = identity.self.split('.');
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(command: string): ChildProcess {
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

async function fieldsOf(pid: number | undefined): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const ownerOf = async (pid: number | undefined): Promise<string> => `${place}.${pid}.${(await fieldsOf(pid))[19]}`;

it('never reports itself as gone, nor a process of another machine or PID namespace', () => {
  expect(identity.isGone(identity.self)).toBe(false);
  expect(identity.isGone(`elsewhere.1.${started}`)).toBe(false);
  expect(identity.isGone(`${place?.replace(/\d+$/, '4026530000')}.1.1`)).toBe(false);
  // A copy of this machine has its name and its PID namespace, and another boot.
  expect(identity.isGone(`${place?.replace(/-[0-9a-f]{8}-(\d+)$/, '-00000000-$1')}.1.1`)).toBe(false);
});

it('reports a process as gone once it has ended', async () => {
  const child = start('exec sleep 60');
  const owner = await ownerOf(child.pid);
  expect(identity.isGone(owner)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(identity.isGone(owner)).toBe(true);
});

it('tells a process from an earlier one with the same pid', () => {
  expect(identity.isGone(`${place}.${process.pid}.1`)).toBe(true);
});

it('reports a dead process as gone before its parent has reaped it', async () => {
  // The child ends only once its parent has become `sleep`, which does not reap it.
  const child = `sh -c 'until grep -q sleep /proc/$PPID/comm; do :; done'`;
  const parent = start(`${child} & echo $!; exec sleep 60`);
  const [line] = (await once(parent.stdout!, 'data')) as [Buffer];
  const pid = Number(line.toString());
  while ((await fieldsOf(pid))[0] !== 'Z') await new Promise(resolve => setImmediate(resolve));
  expect(identity.isGone(await ownerOf(pid))).toBe(true);
});
