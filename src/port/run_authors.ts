/** Names of callers in the events of a run. */
import { says } from '../utils/bilingual';
import { Optional } from '../utils/schema_types';

/** Who wrote a message. */
export const WrittenBy = Optional.String(
  says('who wrote the message: the handle of a person, or the name of a key', '消息的作者：人的标识，或密钥的名称'),
);

/** Who cancelled a run. */
export const CancelledBy = Optional.String(
  says(
    'who cancelled the run: the handle of a person, or the name of a key; absent when its caller left',
    '取消运行的人：人的标识，或密钥的名称；因调用方离开而取消时没有',
  ),
);
