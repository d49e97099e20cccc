/** DOOR 2, search in the messages of all sessions. */

import { Controller } from '@midwayjs/core';
import { encodePage, principalOf, queryOf, sinceOf, tenantOf } from '../../controller/http_request';
import { page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { invalidField } from '../../errors';
import { InjectService } from '../../inject_service';
import type { SessionAccess } from '../../service/access/session_access';
import type { FoundMessage as Found } from '../../service/session/message_searcher';
import { flagOf } from '../../utils/flag_of';
import { DEFAULT_SEARCH_PAGE, FoundMessage, MAX_SEARCH_PAGE, SearchQuery } from './schemas';
import type { SearchService, SearchServices } from './search_service';

const { Get } = routesWith({ scope: 'chat', tag: 'sessions' });

@Controller('/api/v1/search')
export class SearchController extends RestController {
  @InjectService<SearchServices>() searchService!: SearchService;
  @InjectService() sessionAccess!: SessionAccess;

  @Get('/', 'searchMessages', {
    summary: { en: 'Search in messages, best match first', 'zh-CN': '搜索消息，最匹配的在前' },
    description: {
      en: 'Searches what people and agents wrote, in every session; tool results are not searched. Finds messages with all words or, when there is none, with some of them. Of a very common word the newest 3,000 messages are ranked first.',
      'zh-CN':
        '在所有会话中搜索用户和智能体写下的内容，不搜索工具结果。先查找包含全部词的消息；如果没有，再查找包含其中一部分的消息。对非常常见的词，先对最新的 3,000 条消息排序。',
    },
    query: SearchQuery,
    answers: page(named('FoundMessage', FoundMessage)),
    errors: ['not_found'],
  })
  async search() {
    const { q, limit, cursor, since, until, archived, ...filter } = queryOf(this.ctx, SearchQuery);
    const search = {
      ...filter,
      query: q,
      since: since === undefined ? undefined : sinceOf(since),
      until: until === undefined ? undefined : sinceOf(until, 'until'),
      archived: flagOf(archived),
    };
    const request = { limit: limitOf(limit), cursor };
    const { data: all, ...page } = await this.searchService.searchMessages(tenantOf(this.ctx), search, request);
    const data = await this.sessionAccess.keepSeen(principalOf(this.ctx), all, ({ sessionId }) => sessionId);
    return encodePage({ data, ...page }, toWireFoundMessage);
  }
}

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_SEARCH_PAGE : Number(text);
  if (limit >= 1 && limit <= MAX_SEARCH_PAGE) return limit;
  throw invalidField('/limit', `must be 1 to ${MAX_SEARCH_PAGE}.`, `必须在 1 到 ${MAX_SEARCH_PAGE} 之间。`);
}

function toWireFoundMessage({ sessionId, parentSessionId, title, runId, role, snippet, createdAt, score }: Found) {
  return { sessionId, parentSessionId, title, runId, role, snippet, at: new Date(createdAt).toISOString(), score };
}
