/** The functions of memory that a run needs. */
import type { RunRecord } from '../../port/store/runs';
import type { StoreTransaction } from '../../port/store/store';
import type { MemoryBlock } from '../../runtime/prompt_builder';
import type { MemoryTexts } from '../tool/taint_service';

/** The part of a run that the choice of a block reads. */
export type BlockChoice = Pick<RunRecord, 'tenantId' | 'input' | 'keyName'>;

/** Adds a write to the next transaction of the run. */
export type StoreLater = (write: (tx: StoreTransaction) => Promise<void>, onError: (thrown: unknown) => void) => void;

export interface RunMemory extends MemoryTexts {
  /**
   * Returns the block for a run of an agent with memory, or undefined when there is nothing in it. The first run of a session chooses the block;
   * later runs read the block, with one statement. `agentText`: what the agent is for. `isFirst`: no other run of the session has started. After a
   * crash before `storeLater` has written, the run chooses again. A block that cannot be stored is logged, and later runs have none. Rejects
   * `store_unavailable`.
   */
  blockFor(run: RunRecord, choice: { agentText: string; isFirst: boolean }, storeLater: StoreLater): Promise<MemoryBlock | undefined>;
  /** Returns the block that a run would get, and stores nothing. Without a session: the block of the first run of a new session. */
  previewBlock(run: BlockChoice & { sessionId?: string }, agentText: string): Promise<MemoryBlock | undefined>;
}

/** The memory of a gateway without that feature: no prompt has a memory block. */
export const NO_MEMORY: RunMemory = {
  blockFor: async () => undefined,
  previewBlock: async () => undefined,
  textsInPrompt: async () => [],
  textOf: async () => undefined,
};
