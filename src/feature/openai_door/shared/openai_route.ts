/** What all routes for clients of OpenAI have in common. */
import { CLIENT_QUERY } from '../../../controller/model_door/client_query';
import type { Tag } from '../../../controller/route';

export const OPENAI_TAG: Tag = {
  name: 'openai',
  description: {
    en: "Routes in the shapes of OpenAI's API, for its clients. The models are the agents.",
    'zh-CN': '采用 OpenAI API 形式的路由，供其客户端使用。模型即智能体。',
  },
};

/** Query parameters that every client may add, and the parameters of reads and lists that OpenAI's and Anthropic's own clients know. */
export const READ_QUERY: readonly string[] = [
  ...CLIENT_QUERY,
  ...['limit', 'after', 'before', 'order', 'after_id', 'before_id', 'include', 'include[]', 'include_obfuscation'],
];
