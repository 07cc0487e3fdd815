import type { Table } from "../../model/design.ts";
import type { Scaling } from "../requests/table-requests.ts";
import { ref, sub, type TemplateMaker } from "./cloudformation-maker.ts";

export function addScaling(
  maker: TemplateMaker,
  table: Table,
  { index, direction, min, max, target }: Scaling,
): void {
  const words = [table.name, ...(index === undefined ? [] : [index]), direction];
  const units = direction === "read" ? "ReadCapacityUnits" : "WriteCapacityUnits";
  const id = `table/\${${maker.table(table)}}`;
  const targetId = maker.add(maker.name(...words, "target"), {
    Type: "AWS::ApplicationAutoScaling::ScalableTarget",
    Properties: {
      ServiceNamespace: "dynamodb",
      ResourceId: sub(index === undefined ? id : `${id}/index/${index}`),
      ScalableDimension: `dynamodb:${index === undefined ? "table" : "index"}:${units}`,
      MinCapacity: min,
      MaxCapacity: max,
    },
  });
  maker.add(maker.name(...words, "policy"), {
    Type: "AWS::ApplicationAutoScaling::ScalingPolicy",
    Properties: {
      PolicyName: `${direction}-utilization`,
      PolicyType: "TargetTrackingScaling",
      ScalingTargetId: ref(targetId),
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: target,
        PredefinedMetricSpecification: {
          PredefinedMetricType: `DynamoDB${direction === "read" ? "Read" : "Write"}CapacityUtilization`,
        },
      },
    },
  });
}
