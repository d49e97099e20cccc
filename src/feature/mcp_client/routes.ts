/** DOOR 2, the MCP servers of the operator. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, localeOf, pageOf, principalOf, queryOf, tenantOf } from '../../controller/http_request';
import { pageOfList } from '../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import {
  McpApp,
  McpAppQuery,
  McpLoginAddress,
  McpLoginQuery,
  McpLoginRequest,
  McpServersQuery,
} from '../../controller/schemas/mcp_schemas';
import { invalidField } from '../../errors';
import { InjectService } from '../../inject_service';
import { decode } from '../../wire/decode';
import type { McpClientServices, McpManager } from './mcp_manager';

const { Get, Post, Delete } = routesWith({ tag: 'tools' });
const { Get: OpenGet } = routesWith({ scope: 'open', tag: 'tools' });

@Controller('/api/v1/mcp-servers')
export class McpController extends RestController {
  @InjectService<McpClientServices>() mcpManager!: McpManager;

  @Get('/', 'listMcpServers', {
    scope: ['chat:read', 'ops:read'],
    summary: { en: 'List the MCP servers', 'zh-CN': '列出 MCP 服务器' },
    description: {
      en: 'A server that `config/mcp.yaml` describes wrongly is a row with `enabled: false` and its problems.',
      'zh-CN': '`config/mcp.yaml` 中描述有误的服务器也会列出：`enabled: false`，并附上问题。',
    },
    query: McpServersQuery,
    answers: page('McpServer'),
  })
  async list() {
    const query = queryOf(this.ctx, McpServersQuery);
    return encodePage(
      pageOfList(this.mcpManager.listServers(tenantOf(this.ctx)), pageOf(query), ({ name }) => name),
      row => row,
    );
  }

  @Post('/:name/reconnect', 'reconnectMcpServer', {
    scope: 'ops:write',
    summary: { en: 'Connect an MCP server anew', 'zh-CN': '重新连接一个 MCP 服务器' },
    description: {
      en: 'Reads the file again, ends the connection and connects. Answers when that has succeeded or failed: see `state`.',
      'zh-CN': '重新读取文件，断开并重新连接。成功或失败后返回，结果见 `state`。',
    },
    answers: done('McpServer'),
    errors: ['invalid_request'],
  })
  async reconnect(@Param('name') name: string) {
    return this.mcpManager.reconnect(name, principalOf(this.ctx));
  }

  @Get('/:name/app', 'getMcpApp', {
    scope: 'chat',
    summary: { en: 'Read the app of a tool', 'zh-CN': '读取工具的应用页面' },
    description: {
      en: 'For tools whose server names a page that shows their calls (MCP Apps). The gateway reads the page from the server. It is the work of a stranger: show it in a sandboxed frame.',
      'zh-CN': '用于由服务器指定了展示页面的工具（MCP Apps）。网关从服务器读取该页面。页面来自第三方：请放在沙箱框架中显示。',
    },
    query: McpAppQuery,
    answers: done(named('McpApp', McpApp)),
    errors: ['invalid_request', 'not_found'],
  })
  async app(@Param('name') name: string) {
    const { uri } = queryOf(this.ctx, McpAppQuery);
    return { html: await this.mcpManager.readApp(name, uri, tenantOf(this.ctx)) };
  }

  @Post('/:name/login', 'beginMcpLogin', {
    scope: 'ops:write',
    summary: { en: 'Begin a login at an MCP server', 'zh-CN': '开始登录一个 MCP 服务器' },
    description: {
      en: 'For servers with `oauth` in `config/mcp.yaml`. A person opens the address that is returned, within 10 minutes; the browser then comes back to `redirectUrl`, and the gateway connects.',
      'zh-CN':
        '用于 `config/mcp.yaml` 中写有 `oauth` 的服务器。用户须在 10 分钟内打开返回的地址；之后浏览器回到 `redirectUrl`，网关随即连接。',
    },
    body: McpLoginRequest,
    answers: done(named('McpLoginAddress', McpLoginAddress)),
    errors: ['invalid_request', 'not_found'],
  })
  async login(@Param('name') name: string) {
    const { redirectUrl } = bodyOf(this.ctx, McpLoginRequest);
    const { host: ownHost } = this.ctx.state.publicAddress;
    return { url: await this.mcpManager.beginLogin(name, { redirectUrl, ownHost, actor: principalOf(this.ctx) }) };
  }

  @Delete('/:name/login', 'endMcpLogin', {
    scope: 'ops:write',
    summary: { en: 'Log out at an MCP server', 'zh-CN': '退出一个 MCP 服务器' },
    description: {
      en: 'Revokes the tokens where the authorization server offers that, forgets them, and connects the server anew.',
      'zh-CN': '如果授权服务器支持，则吊销令牌；网关忘记令牌，并重新连接该服务器。',
    },
    answers: done('McpServer'),
    errors: ['invalid_request', 'not_found'],
  })
  async logout(@Param('name') name: string) {
    return this.mcpManager.endLogin(name, principalOf(this.ctx));
  }

  @OpenGet('/callback', 'getMcpLoginCallback', {
    takesAnyQuery: true,
    summary: { en: 'End a login at an MCP server', 'zh-CN': '完成 MCP 服务器的登录' },
    description: {
      en: 'The browser of the person comes here from the page of the server. `state` is the secret of the login and counts once.',
      'zh-CN': '用户的浏览器从服务器页面回到这里。`state` 是这次登录的密钥，只能使用一次。',
    },
    query: McpLoginQuery,
    answers: { 200: { description: { en: 'A sentence for the person', 'zh-CN': '给用户的一句话' }, bytes: ['text/plain'] } },
    errors: ['invalid_request', 'not_found'],
  })
  async callback() {
    const { state, code, iss, error, error_description } = decode(McpLoginQuery, { ...this.ctx.query });
    if (code === undefined) {
      const words = (error_description ?? error ?? '').slice(0, 300);
      throw invalidField('/code', `is missing: the server did not let the gateway in. ${words}`, `缺失：服务器没有授权。${words}`);
    }
    const name = await this.mcpManager.finishLogin({ state, code, iss });
    this.ctx.type = 'text/plain; charset=utf-8';
    this.ctx.set('cache-control', 'no-store');
    const isChinese = localeOf(this.ctx, 'en') === 'zh-CN';
    return isChinese
      ? `已登录 MCP 服务器“${name}”。可以关闭此页面。`
      : `The gateway is logged in at the MCP server "${name}". You can close this page.`;
  }
}
