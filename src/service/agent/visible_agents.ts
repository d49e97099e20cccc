/**
 * The agents that a caller sees. The one place where a name that a caller gave becomes an agent, so that a door cannot forget to ask who the caller is.
 * An agent that the caller does not see is one that does not exist.
 */
import { AppError } from '../../errors';
import type { Locale } from '../../port/store/sessions';
import { isSeen, TENANT_VIEWER } from '../access/owned_things';
import type { SessionAccess } from '../access/session_access';
import type { AgentDescription, AgentDirectory } from './agent_directory';
import type { AgentProfile, AgentProfiles } from './agent_profiles';

/** The caller of a door, or the person or the key for whom a job or a hook runs. `keyName`: names of people begin with @. */
export interface AgentCaller {
  tenantId: string;
  keyName: string | undefined;
}

export interface VisibleAgentsDeps {
  profiles: Pick<AgentProfiles, 'findProfile' | 'listProfiles'>;
  agents: Pick<AgentDirectory, 'describeAgent'>;
  sessionAccess: Pick<SessionAccess, 'viewerOf'>;
}

export class VisibleAgents {
  constructor(private readonly deps: VisibleAgentsDeps) {}

  /** Returns true when there is an agent of this name that the caller sees. */
  has(name: string, caller: AgentCaller): boolean {
    return this.findProfile(name, caller) !== undefined;
  }

  /** Throws `not_found` when the caller sees no agent of this name. */
  assertAgentExists(name: string, caller: AgentCaller): void {
    if (!this.has(name, caller))
      throw new AppError('not_found', { param: '/agent', message: 'There is no such agent.', messageZh: '没有这个智能体。' });
  }

  /** Lists the agents that the caller sees, in the order of the profile files. */
  listAgents(locale: Locale, caller: AgentCaller): AgentDescription[] {
    const profiles = this.deps.profiles.listProfiles(caller.tenantId).filter(profile => this.isProfileSeen(profile, caller));
    return profiles.map(profile => this.describe(profile, locale, caller));
  }

  /** Returns undefined when the caller sees no agent of this name. */
  findAgent(name: string, locale: Locale, caller: AgentCaller): AgentDescription | undefined {
    const profile = this.findProfile(name, caller);
    return profile && this.describe(profile, locale, caller);
  }

  /** Names those members of its crew alone that the caller sees. */
  private describe(profile: AgentProfile, locale: Locale, caller: AgentCaller): AgentDescription {
    const description = this.deps.agents.describeAgent(profile, { tenantId: caller.tenantId, locale });
    return { ...description, members: description.members.filter(name => this.has(name, caller)) };
  }

  private findProfile(name: string, caller: AgentCaller): AgentProfile | undefined {
    const profile = this.deps.profiles.findProfile(name, caller.tenantId);
    return profile && this.isProfileSeen(profile, caller) ? profile : undefined;
  }

  /** Looks up the role and the groups of the caller only when not everybody sees the agent. */
  private isProfileSeen(profile: AgentProfile, caller: AgentCaller): boolean {
    return profile.visibility === undefined || isSeen(this.deps.sessionAccess.viewerOf(caller) ?? TENANT_VIEWER, profile);
  }
}
