/** What agents need of the skills of a tenant. */
import type { Locale } from '../../port/store/sessions';
import type { StoreReader } from '../../port/store/store';

export interface PromptSkills {
  /** Equal for equal lists, so that agents can be cached by this number. */
  version: number;
  listed: PromptSkillList;
}

export interface PromptSkillList {
  skills: readonly { name: string; description: string }[];
  /** Names of further skills, which have no description in the prompt. */
  moreSkills: readonly string[];
}

export interface AgentSkills {
  /** Returns the enabled skills for the prompt. Called in each turn, so it takes O(1) between changes. */
  promptSkills(tenantId: string, locale: Locale): PromptSkills;
  /** Resolves with the names of the tools for which the skills were written that the agent has read in the session. */
  listWantedTools(tenantId: string, sessionId: string, read: Pick<StoreReader, 'toolExecutions'>): Promise<string[]>;
  /** Lists the enabled skills, in name order. */
  listSkills(tenantId: string): Promise<{ name: string; description: string }[]>;
  /** Reads an enabled skill. Resolves undefined when there is none, and when it cannot be read. */
  readSkill(tenantId: string, name: string): Promise<{ description: string; instructions: string } | undefined>;
}

/** The skills of a gateway without that feature: there are none. */
export const NO_SKILLS: AgentSkills = {
  promptSkills: () => ({ version: 0, listed: { skills: [], moreSkills: [] } }),
  listWantedTools: async () => [],
  listSkills: async () => [],
  readSkill: async () => undefined,
};
