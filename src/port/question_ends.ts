/** Data of the events that end questions to people. */
import { Type } from '@sinclair/typebox';
import { says } from '../utils/bilingual';
import { closedObject, Optional, oneOf } from '../utils/schema_types';

/** The API key whose answer or decision counts. */
export const DecidedBy = Optional.String(
  says('name of the API key with which a person answered; absent without keys', '回答者所用 API 密钥的名称；没有密钥时省略'),
);

export const ClarificationEnd = closedObject({
  requestId: Type.String(),
  status: oneOf(['answered', 'expired', 'cancelled']),
  answer: Optional.String(),
  decidedBy: DecidedBy,
});
