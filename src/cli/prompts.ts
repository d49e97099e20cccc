/** Asks a person at the terminal; --yes takes the usual answer to each question. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks the questions of a command. */
export interface Prompts {
  /** False: every answer is the usual one. */
  readonly isAsking: boolean;
  ask(question: string, usual: string): Promise<string>;
  /** Does not show what the person types. */
  askSecret(question: string): Promise<string>;
  /** Resolves with the index of the choice; the usual choice is the first. */
  choose(question: string, choices: readonly string[]): Promise<number>;
  confirm(question: string): Promise<boolean>;
  close(): void;
}

/** Gives the usual answers. */
export const USUAL_ANSWERS: Prompts = {
  isAsking: false,
  ask: async (_question, usual) => usual,
  askSecret: async () => '',
  choose: async () => 0,
  confirm: async () => true,
  close: () => {},
};

/** Opens questions on stderr; the answers come from stdin. */
export function openTerminalPrompts(): Prompts {
  let isMuted = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) process.stderr.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const ask = async (question: string, usual: string) => {
    const answer = (await terminal.question(`${question}${usual === '' ? '' : ` [${usual}]`}: `)).trim();
    return answer === '' ? usual : answer;
  };
  return {
    isAsking: true,
    ask,
    async askSecret(question) {
      process.stderr.write(`${question}: `);
      isMuted = true;
      try {
        return (await terminal.question('')).trim();
      } finally {
        isMuted = false;
        process.stderr.write('\n');
      }
    },
    async choose(question, choices) {
      for (const [i, choice] of choices.entries()) process.stderr.write(`  ${i + 1}. ${choice}\n`);
      for (;;) {
        const index = Number(await ask(question, '1')) - 1;
        if (choices[index] !== undefined) return index;
      }
    },
    confirm: async question => !/^(n|否|不)/i.test(await ask(`${question} [Y/n]`, '')),
    close: () => terminal.close(),
  };
}
