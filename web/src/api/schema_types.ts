/** Answers of the gateway, as its OpenAPI document describes them. `npm run docs:client` writes these types from the schemas of the server. */
import type { components } from '../../../clients/typescript/src/schema';

export type Answer<Name extends keyof components['schemas']> = components['schemas'][Name];
