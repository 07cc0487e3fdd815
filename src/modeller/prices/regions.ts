import { type Known, price, pricesFrom, reserved, sure } from "./derive.ts";
import type { RegionPrices } from "./price.ts";

const unsure = price("unsure");

/** US dollars, before taxes and discounts. All of it is known here; the other Regions follow. */
const virginia: RegionPrices = {
  region: "us-east-1",
  place: "N. Virginia",
  standard: {
    readRequests: sure(0.125, "list"),
    writeRequests: sure(0.625, "list"),
    replicatedWriteRequests: sure(0.625, "page"),
    readCapacity: sure(0.00013, "tool"),
    writeCapacity: sure(0.00065, "tool"),
    replicatedWriteCapacity: sure(0.00065, "tool"),
    storage: sure(0.25, "list"),
  },
  infrequentAccess: {
    readRequests: sure(0.155, "list"),
    writeRequests: sure(0.78, "list"),
    replicatedWriteRequests: unsure(0.78, "cut"),
    readCapacity: sure(0.00016, "page"),
    writeCapacity: sure(0.00081, "page"),
    replicatedWriteCapacity: unsure(0.00081, "cut"),
    storage: sure(0.1, "list"),
  },
  reserved: {
    1: reserved([30, 0.0025, 150, 0.0128]),
    3: reserved([36, 0.0016, 180, 0.0081]),
  },
  pointInTimeRecovery: sure(0.2, "list"),
  backup: sure(0.1, "page"),
  restore: sure(0.15, "page"),
  exporting: unsure(0.1, "hearsay"),
  importing: unsure(0.15, "hearsay"),
  streamReads: sure(0.02, "page"),
  dax: new Map([
    ["dax.t3.small", unsure(0.04, "hearsay")],
    ["dax.r5.large", sure(0.255, "page")],
    ["dax.r5.xlarge", sure(0.509, "page")],
    ["dax.r5.2xlarge", sure(1.017, "page")],
    ["dax.r5.4xlarge", sure(2.034, "page")],
    ["dax.r5.8xlarge", sure(4.069, "page")],
    ["dax.r5.12xlarge", sure(6.12, "page")],
    ["dax.r5.16xlarge", sure(8.137, "page")],
    ["dax.r5.24xlarge", sure(12.24, "page")],
  ]),
};

const others: readonly Known[] = [
  {
    region: "us-east-2",
    place: "Ohio",
    capacity: [0.00013, 0.00065],
    reserved: {
      1: [30, 0.0025, 150, 0.0128],
      3: [36, 0.0016, 180, 0.0081],
    },
  },
  {
    region: "us-west-1",
    place: "N. California",
    capacity: [0.000145, 0.000725],
    reserved: {
      1: [33.6, 0.0028, 168, 0.0144],
      3: [40.32, 0.0018, 201.6, 0.0091],
    },
  },
  {
    region: "us-west-2",
    place: "Oregon",
    capacity: [0.00013, 0.00065],
    reserved: {
      1: [30, 0.0025, 150, 0.0128],
      3: [36, 0.0016, 180, 0.0081],
    },
  },
  {
    region: "ca-central-1",
    place: "Canada",
    capacity: [0.000143, 0.000715],
    reserved: {
      1: [33, 0.0028, 165, 0.0141],
      3: [39.6, 0.0018, 198, 0.009],
    },
  },
  {
    region: "sa-east-1",
    place: "São Paulo",
    capacity: [0.000195, 0.000975],
    reserved: {
      1: [45, 0.0038, 225, 0.0193],
      3: [54, 0.0024, 270, 0.0122],
    },
  },
  {
    region: "eu-west-1",
    place: "Ireland",
    capacity: [0.000147, 0.000735],
    requests: [0.1415, 0.705],
    storage: 0.283,
    infrequentRequests: [0.177, 0.885],
    infrequentStorage: 0.1132,
    pointInTimeRecovery: 0.22,
    reserved: {
      1: [33.9, 0.0029, 169.5, 0.0145],
      3: [40.68, 0.0018, 203.4, 0.0092],
    },
  },
  {
    region: "eu-west-2",
    place: "London",
    capacity: [0.0001544, 0.000772],
    reserved: {
      1: [35.6, 0.0031, 178, 0.0153],
      3: [42.72, 0.0019, 213.57, 0.0097],
    },
  },
  {
    region: "eu-west-3",
    place: "Paris",
    capacity: [0.0001544, 0.000772],
    reserved: {
      1: [35.6, 0.0031, 178, 0.0153],
    },
  },
  {
    region: "eu-central-1",
    place: "Frankfurt",
    capacity: [0.0001586, 0.000793],
    requests: [0.1525, 0.7625],
    storage: 0.306,
    infrequentRequests: [0.1905, 0.955],
    infrequentStorage: 0.1224,
    pointInTimeRecovery: 0.2448,
    reserved: {
      1: [36.6, 0.0032, 183, 0.0157],
      3: [43.8, 0.0019, 219.6, 0.0099],
    },
  },
  {
    region: "eu-north-1",
    place: "Stockholm",
    capacity: [0.00014, 0.000698],
    reserved: {
      1: [32.2, 0.0028, 161, 0.0138],
    },
  },
  {
    region: "ap-northeast-1",
    place: "Tokyo",
    capacity: [0.0001484, 0.000742],
    requests: [0.1425, 0.715],
    storage: 0.285,
    reserved: {
      1: [34.2, 0.0029, 171.4, 0.0147],
      3: [41, 0.0018, 205.6, 0.0093],
    },
  },
  {
    region: "ap-northeast-2",
    place: "Seoul",
    capacity: [0.00014098, 0.0007049],
    requests: [0.1355, 0.68],
    reserved: {
      1: [32.49, 0.0028, 162.83, 0.014],
      3: [38.95, 0.0017, 195.32, 0.0088],
    },
  },
  {
    region: "ap-south-1",
    place: "Mumbai",
    capacity: [0.000148, 0.00074],
    reserved: {
      1: [34.2, 0.0029, 171, 0.0146],
      3: [40.68, 0.0018, 203.4, 0.0092],
    },
  },
  {
    region: "ap-southeast-1",
    place: "Singapore",
    capacity: [0.000148, 0.00074],
    reserved: {
      1: [34.2, 0.0029, 171, 0.0146],
      3: [41.04, 0.0018, 205.2, 0.0093],
    },
  },
  {
    region: "ap-southeast-2",
    place: "Sydney",
    capacity: [0.000148, 0.00074],
    reserved: {
      1: [34.2, 0.0029, 171, 0.0146],
      3: [41.04, 0.0018, 205.2, 0.0093],
    },
  },
];

export const regionPrices: readonly RegionPrices[] = [
  virginia,
  ...others.map((known) => pricesFrom(known, virginia)),
];
