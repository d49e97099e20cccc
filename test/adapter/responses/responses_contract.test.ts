import { describeModelAdapter } from '../../contract/model_contract';
import { responsesWire } from '../../support/wires/responses_wire';

describeModelAdapter(responsesWire);
