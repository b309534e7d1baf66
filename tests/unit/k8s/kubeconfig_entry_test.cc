#include "k8s/kubeconfig_entry.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/k8s/decoding.h"

namespace gangpack::k8s {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kPem[] = "-----BEGIN THING-----\n";

const std::map<std::string, std::string>& Files() {
  static const auto& files = *new std::map<std::string, std::string>{
      {"/etc/ca.pem", kPem}, {"/conf/sub/ca.pem", kPem}, {"/conf/plain", "hello"}};
  return files;
}

EntrySource Source() {
  return {"/conf", [](const std::string& path) -> absl::StatusOr<std::string> {
            const auto it = Files().find(path);
            if (it == Files().end()) return absl::NotFoundError(absl::StrCat(path, ": absent"));
            return it->second;
          }};
}

using Decode = void (*)(const Field&, const EntrySource&, ClientConfig*);

std::pair<ClientConfig, std::vector<std::string>> Decoded(Decode decode, const std::string& yaml) {
  const Decoding decoding(yaml);
  ClientConfig config;
  decode(decoding.root(), Source(), &config);
  return {config, decoding.Faults()};
}

TEST(KubeconfigClusterTest, TheServerIsReadWithAllThatBelongsToIt) {
  const auto [config, faults] = Decoded(DecodeCluster,
                                        "server: https://10.0.0.1:6443\n"
                                        "tls-server-name: api\n"
                                        "certificate-authority: /etc/ca.pem\n"
                                        "proxy-url: http://proxy:3128\n");
  EXPECT_THAT(faults, IsEmpty());
  EXPECT_EQ(config.server.ToString(), "https://10.0.0.1:6443");
  EXPECT_EQ(config.tls_server_name, "api");
  EXPECT_EQ(config.ca_pem, kPem);
  EXPECT_EQ(config.proxy->ToString(), "http://proxy:3128");
  EXPECT_FALSE(config.insecure_skip_tls_verify);
  EXPECT_EQ(config.exec_cluster.server, "https://10.0.0.1:6443");
  EXPECT_EQ(config.exec_cluster.ca_pem, kPem);
}

TEST(KubeconfigClusterTest, PathsAreRelativeToTheFile) {
  EXPECT_EQ(Decoded(DecodeCluster, "server: h\ncertificate-authority: sub/ca.pem\n").first.ca_pem,
            kPem);
}

TEST(KubeconfigClusterTest, TextInTheFileComesBeforeAFileThatItNames) {
  const auto [config, faults] =
      Decoded(DecodeCluster, absl::StrCat("server: h\ncertificate-authority: absent\n"
                                          "certificate-authority-data: ",
                                          absl::Base64Escape("-----BEGIN OTHER"), "\n"));
  EXPECT_THAT(faults, IsEmpty());
  EXPECT_EQ(config.ca_pem, "-----BEGIN OTHER");
}

TEST(KubeconfigClusterTest, FaultsNameTheFieldAndWhatWasExpected) {
  EXPECT_THAT(Decoded(DecodeCluster, "{}").second,
              ElementsAre("f.yaml:1: server: missing, expected a URL such as "
                          "https://10.0.0.1:6443"));
  EXPECT_THAT(Decoded(DecodeCluster, "server: ftp://h").second,
              ElementsAre("f.yaml:1: server: `ftp://h`, expected a URL with the scheme http or "
                          "https"));
  EXPECT_THAT(Decoded(DecodeCluster, "server: h\ncertificate-authority: absent").second,
              ElementsAre("f.yaml:2: certificate-authority: /conf/absent: absent, expected a file "
                          "with PEM text"));
  EXPECT_THAT(Decoded(DecodeCluster, "server: h\ncertificate-authority: plain").second,
              ElementsAre("f.yaml:2: certificate-authority: no PEM block in it, expected "
                          "-----BEGIN ..."));
  EXPECT_THAT(Decoded(DecodeCluster, "server: h\ncertificate-authority-data: '%'").second,
              ElementsAre("f.yaml:2: certificate-authority-data: bad base64, expected PEM text in "
                          "base64"));
  EXPECT_THAT(Decoded(DecodeCluster, "server: h\nproxy-url: socks5://p").second,
              ElementsAre("f.yaml:2: proxy-url: `socks5://p`, expected a URL such as "
                          "http://proxy:3128"));
  EXPECT_THAT(Decoded(DecodeCluster, "server: http://h\nproxy-url: http://p").second,
              ElementsAre("f.yaml:2: proxy-url: a proxy for an http server, expected an https "
                          "server"));
}

TEST(KubeconfigClusterTest, AnAuthorityIsNoUseWhereNobodyIsVerified) {
  EXPECT_TRUE(Decoded(DecodeCluster, "server: h\ninsecure-skip-tls-verify: true")
                  .first.insecure_skip_tls_verify);
  EXPECT_THAT(Decoded(DecodeCluster,
                      "server: h\ninsecure-skip-tls-verify: true\n"
                      "certificate-authority: /etc/ca.pem")
                  .second,
              ElementsAre("f.yaml:2: insecure-skip-tls-verify: true beside a certificate "
                          "authority, expected one of the two"));
}

TEST(KubeconfigClusterTest, TheExtensionForPluginsIsKeptAsJson) {
  EXPECT_EQ(Decoded(DecodeCluster,
                    "server: h\nextensions:\n- name: other\n  extension: {a: 1}\n"
                    "- name: client.authentication.k8s.io/exec\n  extension: {b: 2}\n")
                .first.exec_cluster.config_json,
            R"({"b":2})");
}

TEST(KubeconfigUserTest, ATokenALoginOrACertificateSayWhoWeAre) {
  EXPECT_EQ(Decoded(DecodeUser, "token: t").first.pass.authorization, "Bearer t");
  EXPECT_EQ(Decoded(DecodeUser, "{username: u, password: p}").first.pass.authorization,
            "Basic dTpw");
  const auto [config, faults] =
      Decoded(DecodeUser, "client-certificate: /etc/ca.pem\nclient-key: sub/ca.pem\n");
  EXPECT_THAT(faults, IsEmpty());
  EXPECT_EQ(config.pass.certificate_pem, kPem);
  EXPECT_EQ(config.pass.key_pem, kPem);
  EXPECT_EQ(Decoded(DecodeUser, "{}").first.pass, Pass{});
}

TEST(KubeconfigUserTest, ATokenFileComesBeforeAToken) {
  const ClientConfig config = Decoded(DecodeUser, "token: t\ntokenFile: tok").first;
  EXPECT_EQ(config.token_file, "/conf/tok");
  EXPECT_EQ(config.pass.authorization, "");
}

TEST(KubeconfigUserTest, WhatContradictsItselfIsAFault) {
  EXPECT_THAT(Decoded(DecodeUser, "client-certificate: /etc/ca.pem").second,
              ElementsAre("f.yaml:1: client-key: missing, expected the key of the client "
                          "certificate"));
  EXPECT_THAT(Decoded(DecodeUser, "client-key: /etc/ca.pem").second,
              ElementsAre("f.yaml:1: client-certificate: missing, expected the certificate of the "
                          "client key"));
  EXPECT_THAT(Decoded(DecodeUser, "token: t\nusername: u").second,
              ElementsAre("f.yaml:2: username: beside a token, expected one of the two"));
  EXPECT_THAT(Decoded(DecodeUser, "password: p").second,
              ElementsAre("f.yaml:1: username: missing, expected the user of the password"));
  EXPECT_THAT(Decoded(DecodeUser, "auth-provider: {name: gcp}").second,
              ElementsAre("f.yaml:1: auth-provider: no longer supported by Kubernetes, expected "
                          "exec"));
  EXPECT_THAT(Decoded(DecodeUser, "as: root").second,
              ElementsAre("f.yaml:1: as: impersonation, expected a user of its own"));
}

constexpr char kExec[] =
    "exec:\n"
    "  apiVersion: client.authentication.k8s.io/v1\n"
    "  command: bin/login\n"
    "  args: [a, b]\n"
    "  env: [{name: NAME, value: V}]\n"
    "  installHint: hint\n"
    "  provideClusterInfo: true\n"
    "  interactiveMode: IfAvailable\n";

TEST(KubeconfigUserTest, APluginIsReadWithAllThatBelongsToIt) {
  const auto [config, faults] = Decoded(DecodeUser, kExec);
  EXPECT_THAT(faults, IsEmpty());
  ASSERT_TRUE(config.exec.has_value());
  EXPECT_EQ(config.exec->command, "/conf/bin/login");
  EXPECT_THAT(config.exec->args, ElementsAre("a", "b"));
  EXPECT_EQ(config.exec->env[0].second, "V");
  EXPECT_EQ(config.exec->install_hint, "hint");
  EXPECT_TRUE(config.exec->provide_cluster_info);
}

TEST(KubeconfigUserTest, ATokenComesBeforeAPlugin) {
  EXPECT_FALSE(Decoded(DecodeUser, absl::StrCat("token: t\n", kExec)).first.exec.has_value());
}

TEST(KubeconfigUserTest, FaultsOfAPluginNameTheirField) {
  EXPECT_THAT(
      Decoded(DecodeUser, "exec: {apiVersion: v1, env: [{}]}").second,
      ElementsAre("f.yaml:1: exec.apiVersion: `v1`, expected client.authentication.k8s.io/v1 or "
                  "v1beta1",
                  "f.yaml:1: exec.command: missing, expected the program to run",
                  "f.yaml:1: exec.env[0].name: missing, expected the name of a variable"));
  const std::string exec = "command: login, apiVersion: client.authentication.k8s.io/v1";
  EXPECT_THAT(
      Decoded(DecodeUser, absl::StrCat("exec: {", exec, ", interactiveMode: Always}")).second,
      ElementsAre("f.yaml:1: exec.interactiveMode: `Always`, expected Never or IfAvailable: there "
                  "is no terminal"));
  EXPECT_THAT(Decoded(DecodeUser, absl::StrCat("exec: {", exec, "}")).second,
              ElementsAre("f.yaml:1: exec.interactiveMode: missing, expected Never or "
                          "IfAvailable"));
  EXPECT_THAT(Decoded(DecodeUser, absl::StrCat("exec: {", exec, "beta1}")).second, IsEmpty());
}

}  // namespace
}  // namespace gangpack::k8s
