/** A configuration directory of a test's own, as an operator writes one. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface AgentConfig {
  /** For NETA_CONFIG_DIR. */
  readonly directory: string;
  remove(): Promise<void>;
}

/** The default agent with these toolsets, and others by name. */
export async function createAgentConfig(toolsets: readonly string[], others: Record<string, readonly string[]> = {}): Promise<AgentConfig> {
  const directory = await mkdtemp(join(tmpdir(), 'neta-config-'));
  await mkdir(join(directory, 'agents'));
  for (const [name, sets] of Object.entries({ default: toolsets, ...others })) {
    await writeFile(join(directory, 'agents', `${name}.yaml`), `name: ${name}\ntoolsets: [${sets.join(', ')}]\n`);
  }
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
