/** Reads the Dockerfile of the gateway: its instructions, and the environment and command of a container. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Instruction {
  name: string;
  rest: string;
}

const TEXT = readFileSync(join(__dirname, '../../Dockerfile'), 'utf8');

/** Lists the instructions; a continued line is one of them. */
export const instructions: readonly Instruction[] = TEXT.replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, ' ')
  .split('\n')
  .filter(line => line.trim() !== '')
  .map(line => ({ name: /^\w+/.exec(line)?.[0] ?? '', rest: line.replace(/^\w+\s+/, '') }));

/** Instructions of the last stage, which is the image. */
export const imageInstructions = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

/** Returns the variables that the image sets. */
export function imageEnvironment(): Record<string, string> {
  const rows = imageInstructions.filter(({ name }) => name === 'ENV').flatMap(({ rest }) => rest.split(/\s+/));
  return Object.fromEntries(rows.map(row => row.split('=') as [string, string]));
}

/** Returns the command of a container, behind the first process that reaps. */
export function imageCommand(): string[] {
  const words = (name: string): string[] => JSON.parse(imageInstructions.find(one => one.name === name)?.rest ?? '[]');
  const all = [...words('ENTRYPOINT'), ...words('CMD')];
  return all.slice(all.indexOf('--') + 1);
}
