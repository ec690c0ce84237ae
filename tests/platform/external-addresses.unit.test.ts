import { describe, expect, test } from "vitest";
import { isPublicAddress, explainUrlRefusal } from "#api/platform/external-addresses.ts";

describe("isPublicAddress", () => {
  test.each([
    ["this network", ["0.0.0.0", "0.1.2.3"]],
    ["private", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"]],
    ["loopback", ["127.0.0.1", "127.255.255.255", "::1"]],
    ["link-local and metadata", ["169.254.169.254", "169.254.0.1", "fe80::1", "fd00:ec2::254", "192.0.0.192"]],
    ["carrier-grade NAT", ["100.64.0.1", "100.100.100.200", "100.127.255.255"]],
    ["a cloud's wire server", ["168.63.129.16"]],
    ["multicast and broadcast", ["224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1"]],
    ["documentation and benchmarks", ["192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "2001:db8::1"]],
    [
      "mapped and tunnelled",
      ["::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "2002:a00:1::1", "2001:0:a00:1::1"],
    ],
    ["unique local", ["fc00::1", "fdff::1"]],
    ["invalid", ["::", "", "localhost", "10.0.0", "1.2.3.4.5", "fe80::1%eth0"]],
  ])("rejects addresses of the kind '%s'", (_, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  test("accepts all other addresses, including those next to the rejected ranges", () => {
    const edges = ["9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0"];
    const others = ["1.1.1.1", "169.253.255.255", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450::1"];
    expect([...edges, ...others].filter((address) => !isPublicAddress(address))).toEqual([]);
  });
});

describe("explainUrlRefusal", () => {
  const refusal = (url: string, allowsLoopback = false) => explainUrlRefusal(new URL(url), allowsLoopback);

  test.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a00:1]/",
    "https://localhost/",
    "https://api.localhost/",
    "https://localhost./",
    "https://169.254.169.254/latest/meta-data",
    "https://10.1.2.3:8443/",
  ])("rejects %s, which isn't public", (url) => {
    expect(refusal(url)).toBe("URL must lead to a public address.");
  });

  test("requires https on port 443 or on a port from 1024 up", () => {
    expect(refusal("http://example.com/")).toBe("URL must start with https://.");
    expect(refusal("https://example.com:25/")).toBe("Port must be 443, or 1024 and above.");
    expect(refusal("https://example.com/")).toBeNull();
    expect(refusal("https://example.com:8443/hooks?x=1")).toBeNull();
  });

  test("allows this machine outside production, but never other internal machines", () => {
    for (const url of ["http://localhost:3000/", "http://127.0.0.1:80/", "https://[::1]:1/"]) {
      expect(refusal(url, true)).toBeNull();
      expect(refusal(url, false)).not.toBeNull();
    }
    for (const url of [
      "https://10.0.0.1/",
      "https://[::ffff:127.0.0.1]/",
      "http://192.168.0.1/",
      "http://example.com/",
    ])
      expect(refusal(url, true)).not.toBeNull();
  });
});
