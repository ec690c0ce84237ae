using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace LicencePortal.Conformance
{
    /// <summary>Runs the client for the conformance tests: one JSON request a line on standard input, one JSON answer a line on standard
    /// output (clients/README.md).</summary>
    static class Driver
    {
        static readonly Dictionary<string, Driven> Clients = new Dictionary<string, Driven>();

        static void Main()
        {
            ThreadPool.SetMinThreads(64, 64);
            var writing = new object();
            var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
            string line;
            while ((line = input.ReadLine()) != null)
            {
                var request = (JsonObject)Json.Parse(line);
                var id = request.Text("client");
                if (!Clients.TryGetValue(id, out var client)) Clients[id] = client = new Driven(request);
                Task.Run(async () =>
                {
                    JsonObject answer;
                    try { answer = new JsonObject { { "result", await client.DoAsync(request).ConfigureAwait(false) }, { "waits", client.TakeWaits() } }; }
                    catch (Exception error) { answer = new JsonObject { { "threw", error.ToString() } }; }
                    answer["id"] = request.Integer("id");
                    lock (writing) { Console.Out.WriteLine(Json.Write(answer)); Console.Out.Flush(); }
                });
            }
        }
    }

    /// <summary>One client of the driver.</summary>
    sealed class Driven
    {
        readonly LicenceSettings settings;
        readonly LicenceClient client;
        readonly List<object> waits = new List<object>();
        SignIn signIn;
        UpdateCheck update;

        public Driven(JsonObject first)
        {
            settings = new LicenceSettings
            {
                Address = new Uri(first.Text("url")), Folder = first.Text("folder"), Sandbox = first.IsTrue("sandbox"), AddInVersion = "7.2.0",
                HostVersion = "16.0.17328", ShippedKeys = first.Text("shippedKeys"), ShippedReleaseKeys = first.Text("shippedReleaseKeys"),
                Wait = (delay, cancel) => { lock (waits) waits.Add((long)delay.TotalMilliseconds); return Task.FromResult(0); },
                Log = Environment.GetEnvironmentVariable("DRIVER_LOG") == null ? (Action<string>)null : Console.Error.WriteLine,
            };
            client = new LicenceClient(settings);
        }

        public List<object> TakeWaits()
        {
            lock (waits)
            {
                var taken = waits.ToList();
                waits.Clear();
                return taken;
            }
        }

        public async Task<object> DoAsync(JsonObject request)
        {
            var cancel = SetConditions(request);
            switch (request.Text("do"))
            {
                case "activate": return Describe(await client.ActivateAsync(request.Text("licenceCode"), request.Text("replaceMachineId"), cancel.Token));
                case "start": return Describe(await client.CheckAsync(request.Texts("features"), cancel.Token));
                case "lease": return Describe(await client.TakeSeatAsync((int)(request.Integer("borrowHours") ?? 0), cancel.Token));
                case "heartbeat": return Describe(await client.RenewSeatAsync(cancel.Token));
                case "release": return Describe(await client.ReleaseSeatAsync(cancel.Token));
                case "deactivate": return Describe(await client.DeactivateAsync(request.Text("reason"), cancel.Token));
                case "moveCode": return Describe(await client.SendMoveCodeAsync(request.Text("licenceCode"), cancel.Token));
                case "movableDevices": return Describe(await client.ListDevicesAsync(request.Text("licenceCode"), request.Text("emailCode"), cancel.Token));
                case "recordUsage": return await client.RecordUsageAsync();
                case "reportUsage": return Describe(await client.ReportUsageAsync(cancel.Token));
                case "createRequestFile": return await client.CreateRequestFileAsync(request.Text("licenceCode"));
                case "installLicenceFile": return Describe(await client.InstallLicenceFileAsync(request.Text("file")));
                case "beginSignIn": return Describe(await client.BeginSignInAsync(cancel.Token));
                case "pollSignIn": return Describe(await client.PollSignInAsync(GetSignIn(request), cancel.Token));
                case "checkUpdate": return Describe(update = await client.CheckUpdateAsync((int)(request.Integer("stage") ?? 4), cancel.Token));
                case "download":
                    // The portal's own address may not be reachable from the tests.
                    var found = new Update(update.Update.Version, new Uri(request.Text("address")), update.Update.Sha256);
                    return (await client.DownloadAsync(found, request.Text("file"), null, cancel.Token)).ToString();
                case "session": return await RunSessionAsync(request);
                case "setMachineToken": new StateStore(settings).Update(state => state.MachineToken = request.Text("machineToken")); return null;
                case "describeDevice": return DescribeDevice(request);
                case "verify": return Verify(request);
                default: throw new ArgumentException("Unknown: " + request.Text("do"));
            }
        }

        /// <summary>Sets the clock, the device and the time limit of the request. Not part of the asynchronous method, because Mono's
        /// compiler loses variables of patterns there.</summary>
        CancellationTokenSource SetConditions(JsonObject request)
        {
            var now = request.Time("now") ?? DateTime.UtcNow;
            settings.Now = () => now;
            settings.TimeLimit = TimeSpan.FromMilliseconds(request.Integer("timeLimitMs") ?? 10000);
            var machine = request.Object("machine");
            if (machine != null) settings.DescribeDevice = () => ReadMachine(machine);
            var cancel = new CancellationTokenSource();
            var delay = request.Integer("cancelAfterMs");
            if (delay != null) cancel.CancelAfter((int)delay);
            return cancel;
        }

        static DeviceDescription ReadMachine(JsonObject machine) => new DeviceDescription
        {
            MachineName = machine.Text("machineName"), Fingerprint = machine.Text("fingerprint"), IsVm = machine.IsTrue("isVm"), OsUser = machine.Text("osUser"),
            Components = (machine.Object("components") ?? new JsonObject()).ToDictionary(one => one.Key, one => (string)one.Value),
        };

        SignIn GetSignIn(JsonObject request) => request.Text("deviceCode") is string code
            ? new SignIn(code, "AAAA-AAAA", settings.Address, TimeSpan.FromSeconds(5), DateTime.MaxValue) : signIn;

        /// <summary>Starts and disposes a session, as an add-in does. With a licence code, also activates it and starts again.</summary>
        async Task<object> RunSessionAsync(JsonObject request)
        {
            var raised = 0;
            Decision decision;
            using (var session = new LicenceSession(client))
            {
                session.Checked += (sender, one) => { raised++; throw new InvalidOperationException("The host's handler fails."); };
                decision = await session.StartAsync();
                var code = request.Text("licenceCode");
                if (code != null)
                {
                    await client.ActivateAsync(code);
                    decision = await session.StartAsync();
                }
            }
            var result = Describe(decision);
            result["raised"] = raised;
            return result;
        }

        static JsonObject DescribeDevice(JsonObject request)
        {
            var firmware = request.Text("tables") is string tables ? Firmware.Parse(Convert.FromBase64String(tables)) : new Firmware();
            var values = request.Object("values")?.ToDictionary(one => one.Key, one => (string)one.Value)
                ?? new Dictionary<string, string> { { "system", firmware.SystemId }, { "board", firmware.BoardSerial }, { "cpu", firmware.ProcessorId } };
            var device = DeviceDescription.Describe(values, request.Text("product") ?? firmware.Manufacturer + " " + firmware.Product, "installation");
            var json = device.ToJson();
            json["product"] = firmware.Product;
            json["own"] = DeviceDescription.Read().ToJson();
            return json;
        }

        static object Verify(JsonObject request)
        {
            var keys = KeySet.FromJwks(request.Object("jwks"));
            return Jws.Read(request.Text("jws"), request.Text("typ"), kid => keys.TryGetValue(kid, out var key) ? key : null);
        }

        static JsonObject Describe(Decision decision)
        {
            var json = new JsonObject
            {
                { "canRun", decision.CanRun }, { "reason", Kebab(decision.Reason) }, { "features", decision.Features }, { "warnings", decision.Warnings },
                { "message", decision.Message }, { "offer", decision.Offer.ToString() },
            };
            if (decision.ResultCode != 0) json["resultCode"] = decision.ResultCode;
            if (decision.Until is DateTime until) json["until"] = until.ToString("o");
            if (decision.Faults.Count > 0) json["faults"] = decision.Faults.ToDictionary(one => one.Key, one => (object)one.Value);
            if (decision.Seat != null) json["seat"] = decision.Seat.Id;
            return AddUnanswered(json, decision.Unanswered);
        }

        static JsonObject Describe(PortalAnswer answer) => AddUnanswered(new JsonObject
        {
            { "isDone", answer.IsDone }, { "resultCode", answer.ResultCode }, { "message", answer.Message }, { "devices", answer.Devices.Select(one => one.Id).ToList() },
        }, answer.Unanswered);

        static JsonObject Describe(UsageReport report)
        {
            var json = new JsonObject { { "reported", report.Reported }, { "waiting", report.Waiting }, { "resultCode", report.ResultCode } };
            if (report.Remaining != null) json["remaining"] = report.Remaining;
            return AddUnanswered(json, report.Unanswered);
        }

        JsonObject Describe(SignInProgress progress)
        {
            signIn = progress.SignIn;
            var json = new JsonObject { { "state", Kebab(progress.State) }, { "userCode", signIn?.UserCode }, { "intervalSeconds", signIn?.Interval.TotalSeconds } };
            if (progress.Decision != null) json["decision"] = Describe(progress.Decision);
            return AddUnanswered(json, progress.Unanswered);
        }

        static JsonObject Describe(UpdateCheck check)
        {
            var json = new JsonObject { { "version", check.Update?.Version } };
            if (check.Refusal != UpdateRefusal.None) json["refused"] = Kebab(check.Refusal);
            return AddUnanswered(json, check.Unanswered);
        }

        static JsonObject AddUnanswered(JsonObject json, Unanswered unanswered)
        {
            if (unanswered != Unanswered.None) json["unanswered"] = Kebab(unanswered);
            return json;
        }

        static string Kebab(Enum name) => string.Concat(name.ToString().Select((one, index) => index > 0 && char.IsUpper(one) ? "-" + one : one.ToString())).ToLowerInvariant();
    }
}
