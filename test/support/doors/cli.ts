/** The command line: `neta run`, `neta tail` and `neta cancel` as child processes, in the form of programs (--json). */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { RunEvent } from '../../../src/port/run_event';
import { ended, startNeta } from '../neta_program';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';
import { EventTurn } from './event_turn';

const exit = (code: number, word: string) => ({ code, stderr: expect.stringContaining(word) });

export const CLI_DOOR: Door = {
  name: 'Command line',
  guide: 'command-line.md',
  forms: {
    stream: 'text',
    resume: 'whole',
    question: ['text'],
    approval: 'refused',
    cancel: 'request',
    budget: 'exit code 3',
    error: 'exit code 1, 2 or 4',
  },
  ends: { completed: { code: 0 }, budget: { code: 3 }, cancelled: { code: 130 } },
  errors: {
    failedRun: { code: 1 },
    unknownAgent: exit(1, 'agent'),
    wrongKey: exit(1, 'key'),
    quota: exit(1, 'oken'),
    otherTenant: exit(1, 'no '),
  },
  connect: async caller => new CliDoorClient(caller),
};

class CliDoorClient implements DoorClient {
  constructor(private readonly caller: DoorCaller) {}

  async send(message: string, options: SendOptions = {}): Promise<Turn> {
    const { conversation, agent, cancel, leave } = options;
    const more = [...(conversation ? ['--session', conversation] : []), ...(agent ? ['--agent', agent] : [])];
    const child = this.start(['run', message, '--json', ...more]);
    cancel?.addEventListener('abort', () => child.kill('SIGINT'));
    leave?.addEventListener('abort', () => child.kill('SIGKILL'));
    return this.read(child, message, options);
  }

  /** `neta tail` shows the run from its beginning. */
  comeBack({ message, id }: Turn): Promise<Turn> {
    return this.read(this.start(['tail', id, '--json']), message, {});
  }

  attempts({ id, conversation }: Turn) {
    return [
      () => this.read(this.start(['tail', id, '--json']), '', {}),
      () => this.read(this.start(['cancel', id, '--json']), '', {}),
      () => this.send('let me in', { conversation }),
    ];
  }

  async close(): Promise<void> {}

  private start(args: string[]): ChildProcess {
    const child = startNeta(args, { NETA_URL: this.caller.url, NETA_API_KEY: this.caller.secret });
    child.stdin?.end();
    return child;
  }

  private async read(child: ChildProcess, message: string, options: SendOptions): Promise<Turn> {
    const turn = new EventTurn(message, options);
    const { stdout } = child;
    if (stdout) createInterface({ input: stdout }).on('line', line => turn.take(JSON.parse(line) as RunEvent));
    const { code, stderr } = await ended(child);
    // Ctrl+C ends the program before the run has said that it ended.
    if (options.leave?.aborted || code === 130) return { ...turn.soFar(), end: { code } };
    if (code !== 0 && code !== 3) throw { code, stderr };
    return { ...(await turn.end), end: { code } };
  }
}
