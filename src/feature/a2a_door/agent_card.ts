/** The card by which agents of other makers find this gateway, what it can do and how to reach it. */
import type { AgentCard, AgentSkill } from '@a2a-js/sdk';
import type { AgentDescription } from '../../service/agent/agent_directory';

export const A2A_VERSION = '1.0';

export interface CardFacts {
  /** Address of the gateway, without a slash at the end. */
  address: string;
  version: string;
  /** Callers need an API key. */
  needsKey: boolean;
  /** Tasks can have webhooks of their own. */
  pushes: boolean;
  agents: readonly Pick<AgentDescription, 'name' | 'label' | 'description'>[];
}

/** Returns the card, with one skill for each agent. */
export function agentCardOf({ address, version, needsKey, pushes, agents }: CardFacts): AgentCard {
  return {
    name: 'neta-gateway',
    description: 'An agent with tools: it works on files, runs commands, reads the web and asks people.',
    supportedInterfaces: [{ url: `${address}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: A2A_VERSION, tenant: '' }],
    provider: undefined,
    version,
    documentationUrl: `${address}/docs`,
    capabilities: { streaming: true, pushNotifications: pushes, extendedAgentCard: true, extensions: [] },
    securitySchemes: needsKey ? { bearer: BEARER } : {},
    securityRequirements: needsKey ? [{ schemes: { bearer: { list: [] } } }] : [],
    defaultInputModes: ['text/plain', 'application/json', 'image/png', 'image/jpeg', 'image/webp', 'image/gif'],
    defaultOutputModes: ['text/plain'],
    skills: agents.map(toSkill),
    signatures: [],
  };
}

const BEARER: AgentCard['securitySchemes'][string] = {
  scheme: {
    $case: 'httpAuthSecurityScheme',
    value: { scheme: 'Bearer', description: 'An API key of the gateway with the scope chat.', bearerFormat: '' },
  },
};

const toSkill = ({ name, label = name, description = label }: CardFacts['agents'][number]): AgentSkill => ({
  id: name,
  name: label,
  description,
  tags: ['agent'],
  examples: [],
  inputModes: [],
  outputModes: [],
  securityRequirements: [],
});
