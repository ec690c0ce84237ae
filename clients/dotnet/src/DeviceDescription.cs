using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.NetworkInformation;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

namespace LicencePortal
{
    /// <summary>What the portal recognises a device by. Contains hashes, never serial numbers.</summary>
    public sealed class DeviceDescription
    {
        static readonly Lazy<DeviceDescription> Cached = new Lazy<DeviceDescription>(Read);

        /// <summary>Letters and digits of texts that firmware has instead of a value, the same on many devices. The portal ignores the same
        /// texts (<c>component-values.ts</c>), but it can't see them in a hash.</summary>
        static readonly HashSet<string> Fillers = new HashSet<string>((
            "assetnumber assettag baseboardserialnumber boardserialnumber chassisassettag chassisserialnumber deadbeef default empty error " +
            "false fillbyoem filledbyoem inspur insyde invalid manufacturer na nil no noassetinformation noassettag nodata none normalstring " +
            "nosn notapplicable notassigned notpresent notprovided notset notsettable notspecified null oem oemserial oemstring other " +
            "partnumber placeholder productname reserved sample serial serialnumber sernum sku standard string systemmanufacturer " +
            "systemproductname systemserialnumber systemuuid systemversion tbd test true undefined unknown unspecified uuid " +
            "03000200040005000006000700080009 fefefefefefefefefefefefefefefefe " +
            "020000000000 444553540000 204153594eff 02004c4f4f50 005056c00001 005056c00008").Split(' '));

        static readonly Regex FillerPattern = new Regex(
            @"^((?<c>.)\k<c>*|[0f]*|0?123456789[0-9a-f]*|(tobefilled|tobeset|type[123]|defaultstring|notavailable).*)$",
            RegexOptions.CultureInvariant);

        static readonly Regex VirtualProduct = new Regex(
            @"vmware|virtualbox|innotek|\bqemu\b|\bkvm\b|\bxen\b|bochs|parallels|bhyve|ovirt|openstack|rhev|nutanix|" +
            @"virtual machine|google compute engine|amazon ec2 (?!.*metal)|hvm domu|apple virtualization",
            RegexOptions.IgnoreCase | RegexOptions.CultureInvariant);

        static readonly Regex RemovableAdapter = new Regex(
            @"usb|dock|thunderbolt|virtual|hyper-v|vmware|vbox|virtualbox|vpn|tap-|tunnel|bluetooth|loopback|wan miniport|docker|npcap|wireguard",
            RegexOptions.IgnoreCase | RegexOptions.CultureInvariant);

        /// <summary>Name and domain, joined with <c>|</c>. Users see the part before it.</summary>
        public string MachineName { get; set; }
        /// <summary>Hash of the values that rarely change: system ID, board and processor.</summary>
        public string Fingerprint { get; set; }
        /// <summary>Hash of each value, by name. They recognise the device after a hardware change.</summary>
        public IDictionary<string, string> Components { get; set; } = new Dictionary<string, string>();
        /// <summary>Name of the operating system's user.</summary>
        public string OsUser { get; set; }
        /// <summary>True on a virtual machine.</summary>
        public bool IsVm { get; set; }

        /// <summary>Describes this device, reading the hardware once for each run.</summary>
        public static DeviceDescription ReadCached() => Cached.Value;

        /// <summary>Describes this device. Needs no administrator. Takes some milliseconds.</summary>
        public static DeviceDescription Read()
        {
            var firmware = Firmware.Read();
            var values = new Dictionary<string, string>
            {
                { "system", firmware.SystemId }, { "board", firmware.BoardSerial }, { "cpu", firmware.ProcessorId },
                { "disk", DiskSerial.Read() }, { "mac", ReadMac() },
            };
            return Describe(values, firmware.Manufacturer + " " + firmware.Product, DiskSerial.ReadInstallationId());
        }

        /// <summary>Builds the description from values. Blank values and fillers are dropped before hashing, because their hashes
        /// would be the same on many devices.</summary>
        internal static DeviceDescription Describe(IDictionary<string, string> values, string product, string installationId)
        {
            var real = values.Where(one => !IsFiller(one.Value)).ToDictionary(one => one.Key, one => one.Value.Trim().ToUpperInvariant());
            var stable = new[] { "system", "board", "cpu" }.Where(real.ContainsKey).Select(name => name + "=" + real[name]).ToList();
            // A processor's ID is the same on all devices of a model. Cloned disks share the installation's ID, so it comes last.
            if (!real.ContainsKey("system") && !real.ContainsKey("board")) stable.AddRange(new[] { "disk", "mac" }.Where(real.ContainsKey).Select(name => name + "=" + real[name]));
            if (stable.Count == 0 || (stable.Count == 1 && real.ContainsKey("cpu"))) stable.Add("installation=" + installationId);
            return new DeviceDescription
            {
                MachineName = Environment.MachineName + "|" + TryRead(() => IPGlobalProperties.GetIPGlobalProperties().DomainName),
                Fingerprint = Hash(string.Join("\n", stable)),
                Components = real.ToDictionary(one => one.Key, one => Hash(one.Key + "=" + one.Value)),
                OsUser = TryRead(() => Environment.UserDomainName) + "\\" + Environment.UserName,
                // Windows runs on a hypervisor on many real devices, so the processor's flag says nothing.
                IsVm = VirtualProduct.IsMatch(product ?? ""),
            };
        }

        static bool IsFiller(string value)
        {
            var plain = new string((value ?? "").ToLowerInvariant().Where(char.IsLetterOrDigit).ToArray());
            return Fillers.Contains(plain) || FillerPattern.IsMatch(plain);
        }

        internal JsonObject ToJson()
        {
            var json = new JsonObject { { "machineName", MachineName }, { "fingerprint", Fingerprint }, { "isVm", IsVm } };
            if (Components?.Count > 0) json["components"] = Components.ToDictionary(one => one.Key, one => (object)one.Value);
            if (OsUser != null) json["osUser"] = OsUser;
            return json;
        }

        /// <summary>Returns the lowest address of the built-in network cards, whether or not they are connected.</summary>
        static string ReadMac() => TryRead(() => NetworkInterface.GetAllNetworkInterfaces()
            .Where(card => card.NetworkInterfaceType == NetworkInterfaceType.Ethernet || card.NetworkInterfaceType == NetworkInterfaceType.Wireless80211)
            .Where(card => !RemovableAdapter.IsMatch(card.Description + " " + card.Name))
            .Select(card => card.GetPhysicalAddress().GetAddressBytes())
            // The second bit marks an address that software chose, such as Windows' random Wi-Fi addresses.
            .Where(address => address.Length == 6 && (address[0] & 2) == 0)
            .Select(address => BitConverter.ToString(address)).OrderBy(text => text, StringComparer.Ordinal).FirstOrDefault());

        static string Hash(string value)
        {
            using (var sha = SHA256.Create())
                return BitConverter.ToString(sha.ComputeHash(Encoding.UTF8.GetBytes("licence-portal-device-1\n" + value))).Replace("-", "").ToLowerInvariant();
        }

        static string TryRead(Func<string> read)
        {
            try { return read(); }
            catch (Exception) { return null; }
        }
    }
}
