/** Creates a configuration directory for one test. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface AgentConfig {
  /** The value for NETA_CONFIG_DIR. */
  readonly directory: string;
  remove(): Promise<void>;
}

/** Writes a default agent with these toolsets and tools, and further agents: name -> toolsets. */
export async function createAgentConfig(
  toolsets: readonly string[],
  others: Record<string, readonly string[]> = {},
  tools: readonly string[] = [],
): Promise<AgentConfig> {
  const directory = await mkdtemp(join(tmpdir(), 'neta-config-'));
  await mkdir(join(directory, 'agents'));
  const extra = (name: string) => (name === 'default' && tools.length > 0 ? `tools: [${tools.join(', ')}]\n` : '');
  for (const [name, sets] of Object.entries({ default: toolsets, ...others })) {
    await writeFile(join(directory, 'agents', `${name}.yaml`), `name: ${name}\ntoolsets: [${sets.join(', ')}]\n${extra(name)}`);
  }
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
