/** DOOR 2, the MCP servers of the operator. */
import { Controller, Param } from '@midwayjs/core';
import { encodePage, pageOf, queryOf, tenantOf } from '../../controller/http_request';
import { pageOfList } from '../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../controller/route';
import { McpServersQuery } from '../../controller/schemas/mcp_schemas';
import { InjectService } from '../../inject_service';
import type { McpClientServices, McpManager } from './mcp_manager';

const { Get, Post } = routesWith({ tag: 'tools' });

@Controller('/api/v1/mcp-servers')
export class McpController extends RestController {
  @InjectService<McpClientServices>() mcpManager!: McpManager;

  @Get('/', 'listMcpServers', {
    scope: ['chat', 'ops:read'],
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
    return this.mcpManager.reconnect(name, tenantOf(this.ctx));
  }
}
