#include "k8s/kubeconfig.h"

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gangpack::k8s {
namespace {

using ::testing::HasSubstr;

constexpr char kFirst[] =
    "current-context: one\n"
    "contexts:\n"
    "- {name: one, context: {cluster: c1, user: u1, namespace: n1}}\n"
    "- {name: mixed, context: {cluster: c2, user: u1}}\n"
    "- {name: no-user, context: {cluster: c1}}\n"
    "- {name: lost, context: {cluster: c9, user: u1}}\n"
    "- {name: nobody, context: {cluster: c1, user: u9}}\n"
    "- {name: nowhere, context: {user: u1}}\n"
    "clusters:\n"
    "- {name: c1, cluster: {server: 'https://first:1'}}\n"
    "users:\n"
    "- {name: u1, user: {tokenFile: tok}}\n";
constexpr char kSecond[] =
    "current-context: two\n"
    "contexts:\n"
    "- {name: one, context: {cluster: c2, user: u2}}\n"
    "- {name: two, context: {cluster: c2, user: u2}}\n"
    "- {name: broken, context: {cluster: c3, user: u2}}\n"
    "clusters:\n"
    "- {name: c1, cluster: {server: 'https://second:1'}}\n"
    "- {name: c2, cluster: {server: 'https://second:2'}}\n"
    "- name: c3\n"
    "  cluster: {server: 3}\n"
    "users:\n"
    "- {name: u2, user: {token: t2}}\n";

class KubeconfigTest : public testing::Test {
 protected:
  KubeconfigTest() {
    files_["/a/first"] = kFirst;
    files_["/b/second"] = kSecond;
  }

  absl::StatusOr<ClientConfig> Load() {
    return LoadClientConfig(sources_,
                            [this](const std::string& path) -> absl::StatusOr<std::string> {
                              const auto it = files_.find(path);
                              if (it == files_.end())
                                return absl::NotFoundError(absl::StrCat(path, ": absent"));
                              return it->second;
                            });
  }
  ClientConfig Loaded() {
    const absl::StatusOr<ClientConfig> config = Load();
    EXPECT_TRUE(config.ok()) << config.status();
    return config.value_or(ClientConfig{});
  }
  std::string Error(absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
    const absl::Status status = Load().status();
    EXPECT_EQ(status.code(), code);
    return std::string(status.message());
  }

  std::map<std::string, std::string> files_;
  ConfigSources sources_;
};

TEST_F(KubeconfigTest, TheCurrentContextNamesClusterUserAndNamespace) {
  sources_.file = "/a/first";
  const ClientConfig config = Loaded();
  EXPECT_EQ(config.context, "one");
  EXPECT_EQ(config.namespace_name, "n1");
  EXPECT_EQ(config.server.ToString(), "https://first:1");
  EXPECT_EQ(config.token_file, "/a/tok") << "relative to the file";
}

TEST_F(KubeconfigTest, OfSeveralFilesTheFirstThatNamesAThingCounts) {
  sources_.kubeconfig_variable = ":/none:/a/first:/b/second:";
  EXPECT_EQ(Loaded().server.ToString(), "https://first:1");
  sources_.context = "two";
  EXPECT_EQ(Loaded().server.ToString(), "https://second:2");
  EXPECT_EQ(Loaded().pass.authorization, "Bearer t2");
  sources_.context = "mixed";
  EXPECT_EQ(Loaded().server.ToString(), "https://second:2");
  EXPECT_EQ(Loaded().token_file, "/a/tok");
  sources_.kubeconfig_variable = "/b/second:/a/first";
  sources_.context = "";
  EXPECT_EQ(Loaded().context, "two");
}

TEST_F(KubeconfigTest, AFileThatWasAskedForIsTheOnlyOneAndMustExist) {
  sources_.kubeconfig_variable = "/b/second";
  sources_.file = "/a/first";
  EXPECT_EQ(Loaded().context, "one");
  sources_.file = "/none";
  EXPECT_EQ(Error(), "/none: absent");
}

TEST_F(KubeconfigTest, WithoutAListTheFileOfTheHomeFolderCounts) {
  files_["/home/me/.kube/config"] = kSecond;
  sources_.home = "/home/me";
  EXPECT_EQ(Loaded().context, "two");
  sources_.kubeconfig_variable = "/a/first";
  EXPECT_EQ(Loaded().context, "one");
}

TEST_F(KubeconfigTest, JsonIsReadAsWell) {
  files_["/j"] = R"({"current-context":"c","contexts":[{"name":"c","context":{"cluster":"k"}}],)"
                 R"("clusters":[{"name":"k","cluster":{"server":"http://h"}}]})";
  sources_.file = "/j";
  EXPECT_EQ(Loaded().server.ToString(), "http://h:80");
}

TEST_F(KubeconfigTest, AContextNeedsNoUser) {
  sources_.file = "/a/first";
  sources_.context = "no-user";
  EXPECT_EQ(Loaded().pass, Pass{});
}

TEST_F(KubeconfigTest, WhatTheContextDoesNotUseIsNotChecked) {
  sources_.file = "/b/second";
  EXPECT_EQ(Loaded().context, "two");
  sources_.context = "broken";
  EXPECT_EQ(Error(),
            "/b/second:10: clusters[2].cluster.server: a number, expected a string (in quotes)");
}

TEST_F(KubeconfigTest, NamesThatNothingHasAreTold) {
  sources_.file = "/a/first";
  sources_.context = "absent";
  EXPECT_EQ(Error(), "/a/first: contexts: no context has the name `absent`, expected one that has");
  sources_.context = "lost";
  EXPECT_EQ(Error(), "/a/first: clusters: no cluster has the name `c9`, expected one that has");
  sources_.context = "nobody";
  EXPECT_EQ(Error(), "/a/first: users: no user has the name `u9`, expected one that has");
  sources_.context = "nowhere";
  EXPECT_EQ(Error(),
            "/a/first:8: contexts[5].context.cluster: missing, expected the name of a cluster");
}

TEST_F(KubeconfigTest, WithoutAContextNothingIsGuessed) {
  files_["/e"] = "";
  sources_.file = "/e";
  EXPECT_EQ(Error(), "/e: current-context: missing, expected the name of a context");
}

TEST_F(KubeconfigTest, AFileThatCannotBeReadAsYamlIsRefused) {
  files_["/e"] = "a: [";
  sources_.kubeconfig_variable = "/e";
  EXPECT_THAT(Error(), HasSubstr("/e:1: bad YAML"));
  files_["/e"] = "contexts: 1\ncurrent-context: c";
  EXPECT_EQ(Error(), "/e:1: contexts: a number, expected a list");
}

TEST_F(KubeconfigTest, InAClusterTheServiceAccountCounts) {
  const std::string folder = kServiceAccountFolder;
  files_[folder + "/ca.crt"] = "CA";
  files_[folder + "/namespace"] = "kube-system";
  sources_.home = "/home/me";
  sources_.service_host = "fd00::1";
  sources_.service_port = "443";
  const ClientConfig config = Loaded();
  EXPECT_EQ(config.server.ToString(), "https://[fd00::1]:443");
  EXPECT_EQ(config.ca_pem, "CA");
  EXPECT_EQ(config.namespace_name, "kube-system");
  EXPECT_EQ(config.token_file, folder + "/token");

  sources_.service_port = "0";
  EXPECT_EQ(Error(), "KUBERNETES_SERVICE_PORT: `0`, expected a port from 1 to 65535");
  sources_.service_port = "443";
  files_.erase(folder + "/ca.crt");
  EXPECT_THAT(Error(absl::StatusCode::kFailedPrecondition),
              HasSubstr("ca.crt: absent, expected the certificate authority"));
}

TEST_F(KubeconfigTest, AKubeconfigComesBeforeTheServiceAccount) {
  sources_.kubeconfig_variable = "/b/second";
  sources_.service_host = "10.0.0.1";
  sources_.service_port = "443";
  EXPECT_EQ(Loaded().context, "two");
}

TEST_F(KubeconfigTest, WithNothingToReadTheErrorSaysWhereItWasLookedFor) {
  EXPECT_THAT(Error(absl::StatusCode::kFailedPrecondition), HasSubstr("no kubeconfig, expected"));
  sources_.kubeconfig_variable = "/x:/y";
  EXPECT_THAT(Error(absl::StatusCode::kFailedPrecondition), HasSubstr("/x:/y: no such file"));
}

}  // namespace
}  // namespace gangpack::k8s
