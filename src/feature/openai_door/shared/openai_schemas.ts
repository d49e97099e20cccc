/** Schemas that several resources of OpenAI's API share. */
import { Type } from '@sinclair/typebox';

const MAX_PAIRS = 16;

/** Pairs of texts that a program keeps with a thing. */
export const METADATA = Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 512 }), { maxProperties: MAX_PAIRS });
