import { readResponseRequest } from '../../../../src/feature/openai_door/responses/response_request';

const read = (body: object) =>
  readResponseRequest(
    { input: 'plant the garlic', ...body },
    {
      findItem: async () => undefined,
      takeFile: async () => ({ type: 'input_file', file_id: null, filename: 'x', paths: [] }),
      openSummary: () => ({ text: 'x', locale: 'en' }),
    },
  );

it('hands the fields to the model that the request has, and none when it has none', async () => {
  expect((await read({ parallel_tool_calls: true })).caller.modelFields).toBeUndefined();
  const { modelFields = {} } = (await read({ parallel_tool_calls: false })).caller;
  // Fields of the request win over fields that are passed on, so an undefined one would remove those.
  expect(Object.keys(modelFields)).toEqual(['parallel_tool_calls']);
});
