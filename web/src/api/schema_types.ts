/** Answers of the gateway, as its OpenAPI document describes them. The build makes these types from the schemas of the server. */
import type { components } from '../../../clients/typescript/src/schema';

export type Answer<Name extends keyof components['schemas']> = components['schemas'][Name];
