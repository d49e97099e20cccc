/** Data of the events that end questions to people. */
import { Type } from '@sinclair/typebox';
import { says } from '../utils/bilingual';

/** The API key whose answer or decision counts. */
export const DecidedBy = Type.Optional(
  Type.String(says('name of the API key with which a person answered; absent without keys', '回答者所用 API 密钥的名称；没有密钥时省略')),
);

export const ClarificationEnd = Type.Object(
  {
    requestId: Type.String(),
    status: Type.Union([Type.Literal('answered'), Type.Literal('expired'), Type.Literal('cancelled')]),
    answer: Type.Optional(Type.String()),
    decidedBy: DecidedBy,
  },
  { additionalProperties: false },
);
