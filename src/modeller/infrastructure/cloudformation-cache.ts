import { cacheActions, cacheParameters } from "./cache.ts";
import {
  allow,
  attribute,
  document,
  ref,
  roleFor,
  sub,
  type TemplateMaker,
} from "./cloudformation-maker.ts";
import { describedAs, keyStatement } from "./cloudformation-policies.ts";
import type { TableDescription } from "./describe.ts";

/** The cluster in front of a table. */
export function clusterName(maker: TemplateMaker, { name }: { readonly name: string }): string {
  return maker.name(name, "cache");
}

/** A cache in front of a table: a cluster, its network, its times and its role. */
export function addCache(maker: TemplateMaker, { table }: TableDescription): void {
  const { dax, encryption, name } = table;
  if (dax === undefined) return;
  const subnets = maker.parameter(["DaxSubnetIds"], "The subnets that caches are in", {
    type: "List<AWS::EC2::Subnet::Id>",
  });
  const groups = maker.parameter(["DaxSecurityGroupIds"], "Who may reach caches: security groups", {
    type: "List<AWS::EC2::SecurityGroup::Id>",
  });
  const id = maker.table(table);
  const role = maker.add(
    maker.name(name, "cache", "role"),
    roleFor("dax", {
      Policies: [
        {
          PolicyName: "table",
          PolicyDocument: document([
            allow(cacheActions, [attribute(id, "Arn"), sub(`\${${id}.Arn}/index/*`)]),
            ...(typeof encryption === "object"
              ? [keyStatement(maker, table, encryption.key, ["kms:Decrypt"])]
              : []),
          ]),
        },
      ],
    }),
  );
  const about = describedAs(`The cache in front of ${name}`);
  const subnetGroup = maker.add(maker.name(name, "cache", "subnets"), {
    Type: "AWS::DAX::SubnetGroup",
    Properties: { Description: about, SubnetIds: ref(subnets) },
  });
  const times = maker.add(maker.name(name, "cache", "times"), {
    Type: "AWS::DAX::ParameterGroup",
    Properties: {
      Description: about,
      ParameterNameValues: Object.fromEntries(cacheParameters(dax)),
    },
  });
  const cluster = maker.add(clusterName(maker, table), {
    Type: "AWS::DAX::Cluster",
    Properties: {
      Description: about,
      NodeType: dax.node,
      ReplicationFactor: dax.nodes,
      IAMRoleARN: attribute(role, "Arn"),
      SubnetGroupName: ref(subnetGroup),
      ParameterGroupName: ref(times),
      SecurityGroupIds: ref(groups),
      ClusterEndpointEncryptionType: "TLS",
      SSESpecification: { SSEEnabled: true },
      Tags: { Project: ref("Project"), Environment: ref("Environment") },
    },
  });
  maker.output(
    [cluster, "Endpoint"],
    `Where clients find the cache in front of ${name}`,
    attribute(cluster, "ClusterDiscoveryEndpointURL"),
  );
}
